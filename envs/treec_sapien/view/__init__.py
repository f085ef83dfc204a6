"""Views of a kitchen with physics: depth, segmentation, pictures, films.

Only :mod:`.scene`, which reads a scene, and :mod:`.rendering`, which uses the renderer where there
is one, need SAPIEN. Rays are cast in numpy.
"""
