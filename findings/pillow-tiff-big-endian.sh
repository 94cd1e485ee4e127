#!/usr/bin/env bash
# Pillow 9.4.0 (Debian 12): cells of 32 bits in big-endian TIFFs with compression are read with their bytes turned round, without an error.
#
# What libtiff decompresses for Pillow is in the order of the machine, and Pillow takes it for the order of the file (TIFF 6.0, section 2, "byte
# order"). Floats and signed integers of 32 bits are other numbers on all usual machines. Without compression, where Pillow reads the cells itself, and
# of 16 bits, they are right.
. "$(dirname "$0")/packages.bash"
debian python3-pil=9.4.0-1.1+deb12u1 python3-gdal=3.6.2+dfsg-1+b2 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.py" <<'PY'
import sys
import numpy
from osgeo import gdal
from PIL import Image

gdal.UseExceptions()
path = sys.argv[1] + "/raster.tif"
for type, options in (
    (gdal.GDT_Int16, ["ENDIANNESS=BIG", "COMPRESS=DEFLATE"]),
    (gdal.GDT_Float32, ["ENDIANNESS=BIG"]),
    (gdal.GDT_Float32, ["ENDIANNESS=LITTLE", "COMPRESS=DEFLATE"]),
    (gdal.GDT_Float32, ["ENDIANNESS=BIG", "COMPRESS=DEFLATE"]),
    (gdal.GDT_Int32, ["ENDIANNESS=BIG", "COMPRESS=LZW"]),
):
    file = gdal.GetDriverByName("GTiff").Create(path, 3, 1, 1, type, options)
    file.GetRasterBand(1).WriteArray(numpy.array([[7, 8, 9]]))
    file = None
    print(*["%g" % cell for cell in (*gdal.Open(path).ReadAsArray()[0], *numpy.asarray(Image.open(path))[0])])
PY
readarray -t seen < <(python "$TEMP/look.py" "$TEMP")
echo 'Three cells by GDAL, and by Pillow'
expect '16 bits, big-endian, Deflate' '7 8 9 7 8 9' "${seen[0]:-}"
expect 'floats, big-endian' '7 8 9 7 8 9' "${seen[1]:-}"
expect 'floats, little-endian, Deflate' '7 8 9 7 8 9' "${seen[2]:-}"
expect 'floats, big-endian, Deflate' '7 8 9 8.04457e-41 9.10844e-44 5.8308e-42' "${seen[3]:-}"
expect 'integers of 32 bits, big-endian, LZW' '7 8 9 1.17441e+08 1.34218e+08 1.50995e+08' "${seen[4]:-}"
finish
