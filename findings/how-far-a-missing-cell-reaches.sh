#!/usr/bin/env bash
# SciPy 1.10.1 and OpenCV 4.6.0 (Debian 12): filters of 3 x 3 cells reach further than 3 x 3 cells, and of 11 x 11 doubles over the whole raster.
#
# A box reaches half its width. scipy.ndimage.uniform_filter and cv2.blur add what comes in and take away what leaves, along rows and columns: a NaN
# stays to the end of them, and after one large cell the means behind it are wrong, without a NaN. cv2.filter2D goes by Fourier transforms where a
# kernel is large, "about 11 x 11", as its documentation says; of doubles a NaN is then in every cell. SciPy's convolve reaches as far as its kernel.
. "$(dirname "$0")/packages.bash"
debian python3-opencv=4.6.0+dfsg-12 python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.py" <<'PY'
import cv2
import numpy
import scipy.ndimage

def kernel(size):
    return numpy.full((size, size), 1 / size**2)

for cell in (numpy.nan, 1e17):
    raster = numpy.ones((40, 40))
    raster[10, 10] = cell
    for size in (3, 11):
        for result in (
            scipy.ndimage.convolve(raster, kernel(size)),
            scipy.ndimage.uniform_filter(raster, size),
            cv2.filter2D(raster, -1, kernel(size)),
            cv2.blur(raster, (size, size)),
        ):
            print((~numpy.isclose(result, 1)).sum(), end=" ")
        print()
PY
readarray -t seen < <(python "$TEMP/look.py" | sed 's/ $//')
echo 'Cells that are not 1 in 40 x 40 ones with another cell: SciPy convolve and uniform_filter, OpenCV filter2D and blur'
expect 'NaN, 3 x 3' '9 961 9 93' "${seen[0]:-}"
expect 'NaN, 11 x 11' '121 1225 1600 1225' "${seen[1]:-}"
expect '1e17, 3 x 3' '9 177 9 93' "${seen[2]:-}"
expect '1e17, 11 x 11' '121 649 1600 649' "${seen[3]:-}"
finish
