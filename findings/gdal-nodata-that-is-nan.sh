#!/usr/bin/env bash
# GDAL 3.6.2 (Debian 12): missing cells spread through gdal_translate -r bilinear and cubic if the nodata value is NaN, and not if it is a number.
#
# One raster, one missing cell, two ways to say so. gdal_translate at another size leaves missing cells out, as its page says of masked values: with -9999
# each cell of the result has a value. With NaN, which is a nodata value like others to GDAL, the mean has one everywhere, too, but bilinear and cubic are
# NaN wherever the cell is in reach, as are overviews made so. gdalwarp has one answer for both values: missing where the cell in the middle is, as its
# page says. GDAL's pull request 14360 has changed it since.
. "$(dirname "$0")/packages.bash"
debian gdal-bin=3.6.2+dfsg-1+b2 python3-gdal=3.6.2+dfsg-1+b2 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.py" <<'PY'
import subprocess
import sys
import numpy
from osgeo import gdal

gdal.UseExceptions()

def missing(path):
    file = gdal.Open(path)
    cells = file.ReadAsArray()
    nodata = file.GetRasterBand(1).GetNoDataValue()
    return (numpy.isnan(cells) | (cells == nodata)).sum()

def resample(way):
    source, target = sys.argv[1] + "/source.tif", sys.argv[1] + "/target.tif"
    counts = []
    for nodata in (-9999, numpy.nan):
        cells = numpy.arange(256, dtype="f4").reshape(16, 16)
        cells[7, 7] = nodata
        file = gdal.GetDriverByName("GTiff").Create(source, 16, 16, 1, gdal.GDT_Float32)
        file.SetGeoTransform([0, 1, 0, 16, 0, -1])
        file.GetRasterBand(1).SetNoDataValue(nodata)
        file.GetRasterBand(1).WriteArray(cells)
        file = None
        subprocess.run(["gdal_translate", "-q", "-outsize", "8", "8", "-r", way, source, target], check=True)
        counts.append(missing(target))
        subprocess.run(["gdalwarp", "-q", "-overwrite", "-ts", "8", "8", "-r", way, source, target], check=True)
        counts.append(missing(target))
    return counts

for way in ("average", "bilinear", "cubic"):
    print(*resample(way))
PY
readarray -t seen < <(python "$TEMP/look.py" "$TEMP")
echo 'Missing cells of 8 x 8, of a raster of 16 x 16 with one: gdal_translate and gdalwarp of -9999, and of NaN'
expect 'average' '0 0 0 0' "${seen[0]:-}"
expect 'bilinear' '0 1 4 1' "${seen[1]:-}"
expect 'cubic' '0 1 16 1' "${seen[2]:-}"
finish
