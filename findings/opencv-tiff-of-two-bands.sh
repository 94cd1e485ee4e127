#!/usr/bin/env bash
# OpenCV 4.6.0 (Debian 12): TIFFs of 16 bits with two bands are read as one band of the upper bytes, also "unchanged".
#
# imread with IMREAD_UNCHANGED is to give the image as it is, and does so with one band of 16 bits. Of several bands that are no colours only the first
# is read. Where there are two, such as u and v of a wind, it has eight bits: 300 and 511 are both 1, and of signed cells -1 to -256 are all -1.
. "$(dirname "$0")/packages.bash"
debian python3-opencv=4.6.0+dfsg-12 python3-gdal=3.6.2+dfsg-1+b2 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.py" <<'PY'
import sys
import cv2
import numpy
from osgeo import gdal

gdal.UseExceptions()
path = sys.argv[1] + "/raster.tif"
for bands, type, cells in (
    (1, gdal.GDT_UInt16, [300, 511, 1000]),
    (3, gdal.GDT_UInt16, [300, 511, 1000]),
    (2, gdal.GDT_UInt16, [300, 511, 1000]),
    (2, gdal.GDT_Int16, [-200, 300, 1000]),
):
    file = gdal.GetDriverByName("GTiff").Create(path, 3, 1, bands, type)
    for band in range(bands):
        file.GetRasterBand(band + 1).WriteArray(numpy.array([cells]))
    file = None
    result = cv2.imread(path, cv2.IMREAD_UNCHANGED)
    print(result.dtype, *result.shape, *result.reshape(1, 3, -1)[0, :, 0])
PY
readarray -t seen < <(python "$TEMP/look.py" "$TEMP" 2> "$TEMP/log")
echo 'Type, size, and first band'
expect '300 511 1000 in one band' 'uint16 1 3 300 511 1000' "${seen[0]:-}"
expect '300 511 1000 in three bands' 'uint16 1 3 300 511 1000' "${seen[1]:-}"
expect '300 511 1000 in two bands' 'uint8 1 3 1 1 3' "${seen[2]:-}"
expect '-200 300 1000 in two bands' 'int8 1 3 -1 1 3' "${seen[3]:-}"
finish
