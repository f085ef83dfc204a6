"""What one sees of a kitchen with physics: depth, segmentation, pictures, films.

Nothing here needs SAPIEN but :mod:`.scene`, which reads a scene, and :mod:`.rendering`, which uses
its renderer where there is one. Rays are cast in numpy.
"""
