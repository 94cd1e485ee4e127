#!/usr/bin/env bash
# GDAL 3.6.2 (Debian 12): overviews of rasters of 32-bit integers and of doubles hold floats, also those that only pick cells.
#
# gdaladdo -r nearest takes one cell of each block ("simple sampling", as its page says), so that numbers of areas or of classes are those of the raster,
# and the overview has the type of the raster. Its cells have gone through Float32 nevertheless: 16777217 is 16777216, and 4294967293 is 4294967295, which
# may be the nodata value. Whoever asks for fewer cells than a raster has, as viewers do, is given the overview: without overviews the cells are
# right. gdal_translate and gdalwarp pick right cells of these types. GDAL's pull requests 8241 and 10761 have changed it since.
. "$(dirname "$0")/packages.bash"
debian gdal-bin=3.6.2+dfsg-1+b2 python3-gdal=3.6.2+dfsg-1+b2 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.py" <<'PY'
import subprocess
import sys
import numpy
from osgeo import gdal

gdal.UseExceptions()
for type, value, way in (
    (gdal.GDT_Int32, 16777217, "nearest"),
    (gdal.GDT_UInt32, 4294967293, "nearest"),
    (gdal.GDT_UInt32, 4294967293, "mode"),
    (gdal.GDT_Float64, 16777217.25, "nearest"),
):
    path = sys.argv[1] + "/raster.tif"
    file = gdal.GetDriverByName("GTiff").Create(path, 16, 16, 1, type)
    file.GetRasterBand(1).WriteArray(numpy.full((16, 16), value))
    file = None
    before = gdal.Open(path).ReadAsArray(buf_xsize=8, buf_ysize=8)[3, 3]
    subprocess.run(["gdaladdo", "-q", "-r", way, path, "2"], check=True)
    file = gdal.Open(path)
    overview = file.GetRasterBand(1).GetOverview(0)
    half = file.ReadAsArray(buf_xsize=8, buf_ysize=8)
    print(gdal.GetDataTypeName(overview.DataType), before, half[3, 3], overview.ReadAsArray()[3, 3])
    file = None
PY
readarray -t seen < <(python "$TEMP/look.py" "$TEMP")
echo 'The type of the overview; a cell of the raster read at half its size without overviews, with one, and of the overview'
expect 'nearest' 'Int32 16777217 16777216 16777216' "${seen[0]:-}"
expect 'nearest' 'UInt32 4294967293 4294967295 4294967295' "${seen[1]:-}"
expect 'mode' 'UInt32 4294967293 4294967295 4294967295' "${seen[2]:-}"
expect 'nearest' 'Float64 16777217.25 16777218.0 16777218.0' "${seen[3]:-}"
finish
