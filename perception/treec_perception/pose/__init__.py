"""Human pose: landmarks in a picture, joints in the scene, kept over short gaps."""
