#!/usr/bin/env bash
# rasterio 1.3.5 (Debian 12): rasters of signed 64-bit integers are read as unsigned ones, and written as unsigned ones.
#
# GDAL numbers its types 12, UInt64, and 13, Int64, and rasterio takes them the other way round. What rasterio has written it reads as it was. All
# others see 18446744073709551615 where it wrote -1, and it sees that where they wrote -1; asked for doubles, it gives what is there. rasterio's pull
# request 2836 is about this; files that were written before stay as they are.
. "$(dirname "$0")/packages.bash"
debian python3-rasterio=1.3.5-1+b1 python3-gdal=3.6.2+dfsg-1+b2 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.py" <<'PY'
import sys
import numpy
import rasterio
from osgeo import gdal

gdal.UseExceptions()
cells = numpy.array([[-1, 2, 3]], "i8")
path = sys.argv[1] + "/gdal.tif"
file = gdal.GetDriverByName("GTiff").Create(path, 3, 1, 1, gdal.GDT_Int64)
file.GetRasterBand(1).WriteArray(cells)
file = None
print(*gdal.Open(path).ReadAsArray()[0])
with rasterio.open(path) as file:
    print(*file.dtypes, *file.read(1)[0])
    print(*file.read(1, out_dtype="float64")[0])
path = sys.argv[1] + "/rasterio.tif"
with rasterio.open(path, "w", driver="GTiff", width=3, height=1, count=1, dtype="int64") as file:
    file.write(cells, 1)
with rasterio.open(path) as file:
    print(*file.dtypes, *file.read(1)[0])
file = gdal.Open(path)
print(gdal.GetDataTypeName(file.GetRasterBand(1).DataType), *file.ReadAsArray()[0])
PY
readarray -t seen < <(python "$TEMP/look.py" "$TEMP")
expect 'GDAL, of what it wrote as Int64' '-1 2 3' "${seen[0]:-}"
expect 'rasterio, of the same' 'uint64 18446744073709551615 2 3' "${seen[1]:-}"
expect 'rasterio, of the same as doubles' '-1.0 2.0 3.0' "${seen[2]:-}"
expect 'rasterio, of what it wrote as int64' 'int64 -1 2 3' "${seen[3]:-}"
expect 'GDAL, of the same' 'UInt64 18446744073709551615 2 3' "${seen[4]:-}"
finish
