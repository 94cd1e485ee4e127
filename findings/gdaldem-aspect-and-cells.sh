#!/usr/bin/env bash
# GDAL 3.6.2 (Debian 12): gdaldem aspect takes no notice of the size of cells, and gdaldem slope and hillshade do.
#
# A plane that falls by 1 metre for each metre to the east and to the south falls to the south-east, 135 degrees. Where rows are 2 metres apart and
# columns 1, as cells of longitude and latitude are off the equator, slope is right, and aspect is the direction in cells: 153.4 degrees.
. "$(dirname "$0")/packages.bash"
debian gdal-bin=3.6.2+dfsg-1+b2 python3-gdal=3.6.2+dfsg-1+b2 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.py" <<'PY'
import subprocess
import sys
import numpy
from osgeo import gdal

gdal.UseExceptions()
for rows in (1, 2):
    raster = "%s/%d.tif" % (sys.argv[1], rows)
    file = gdal.GetDriverByName("GTiff").Create(raster, 5, 5, 1, gdal.GDT_Float32)
    file.SetGeoTransform([0, 1, 0, 0, 0, -rows])
    file.GetRasterBand(1).WriteArray(100.0 - rows * numpy.arange(5)[:, None] - numpy.arange(5)[None, :])
    file = None
    for mode in ("slope", "aspect"):
        result = "%s/%s%d.tif" % (sys.argv[1], mode, rows)
        subprocess.run(["gdaldem", mode, raster, result, "-q"], check=True)
        result = gdal.Open(result)
        print("%.1f" % result.ReadAsArray()[2, 2])
PY
readarray -t seen < <(python "$TEMP/look.py" "$TEMP")
expect 'square cells: slope' '54.7' "${seen[0]}"
expect 'square cells: aspect' '135.0' "${seen[1]}"
expect 'cells twice as high as wide: slope of the same plane' '54.7' "${seen[2]}"
expect 'aspect of the same plane' '153.4' "${seen[3]}"
finish
