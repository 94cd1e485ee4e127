#!/usr/bin/env bash
# GDAL 3.6.2 with libtiff 4.5 (Debian 12): big-endian files with PREDICTOR=3 are read back as other numbers than were written.
#
# Adobe's note on predictor 3 takes numbers apart into planes of bytes, the most significant first, whatever the byte order of the file. libtiff
# swaps the bytes before it takes the numbers apart, so that the least significant plane is the first; and it reads by the note.
. "$(dirname "$0")/packages.bash"
debian python3-gdal=3.6.2+dfsg-1+b2 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.py" <<'PY'
import sys
import numpy
from osgeo import gdal

gdal.UseExceptions()
written = numpy.array([[1.5, -2.25, 1000.0, 0.125]], "f4")
for order in ("LITTLE", "BIG"):
    for predictor in ("2", "3"):
        path = "%s/%s%s.tif" % (sys.argv[1], order, predictor)
        file = gdal.GetDriverByName("GTiff").Create(path, 4, 1, 1, gdal.GDT_Float32, ["COMPRESS=DEFLATE", "PREDICTOR=" + predictor, "ENDIANNESS=" + order])
        file.GetRasterBand(1).WriteArray(written)
        file = None
        print(numpy.array_equal(gdal.Open(path).ReadAsArray(), written))
PY
readarray -t same < <(python "$TEMP/look.py" "$TEMP")
expect 'little-endian, predictor 2: what was written' 'True' "${same[0]}"
expect 'little-endian, predictor 3' 'True' "${same[1]}"
expect 'big-endian, predictor 2' 'True' "${same[2]}"
expect 'big-endian, predictor 3' 'False' "${same[3]}"
finish
