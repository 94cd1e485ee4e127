#!/usr/bin/env bash
# GDAL 3.6.2: a kernel in a virtual raster counts missing cells as zeros once it is told which they are; derivatives beside a gap are half of the elevation; and
# doubles and 32-bit integers go through 32-bit floats.
#
# A KernelFilteredSource applies a matrix of weights, and "normalized" divides by their sum. As long as only the file says which cells are missing, means are
# of the other cells, and missing cells stay missing. With the element NODATA, which the schema allows there and which other sources need, gaps are zeros: of a
# plain of 100 the means beside one are 89, and the gap is filled with 89. Without "normalized" missing cells are left out of the sum in both cases, so that the
# derivative of a plain is -50 and 50 beside a gap. With it the derivative is 0 everywhere, also on a slope, but 100 beside the gap: there the sum of the
# weights is not 0. Cells become floats on the way: a kernel whose one weight is 1 makes 16777216 of 16777217, in rasters of doubles and of integers.
. "$(dirname "$0")/packages.bash"
debian python3-gdal=3.6.2+dfsg-1+b2 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.py" <<'PY'
import sys
import numpy as np
from osgeo import gdal

gdal.UseExceptions()
MEAN = "1 1 1 1 1 1 1 1 1"
DIFFERENCE = "0 0 0 -0.5 0 0.5 0 0 0"
SAME = "0 0 0 0 1 0 0 0 0"

def raster(rows, type=gdal.GDT_Float64, missing=None):
    path = f"{sys.argv[1]}/raster{raster.count}.tif"
    raster.count += 1
    made = gdal.GetDriverByName("GTiff").Create(path, len(rows[0]), len(rows), 1, type)
    made.GetRasterBand(1).WriteArray(np.array(rows))
    if missing is not None:
        made.GetRasterBand(1).SetNoDataValue(missing)
    return path

raster.count = 0

def filtered(path, weights, normalized, type="Float64", nodata=""):
    vrt = f"""<VRTDataset rasterXSize="5" rasterYSize="5"><VRTRasterBand dataType="{type}" band="1"><NoDataValue>-9999</NoDataValue>
      <KernelFilteredSource><SourceFilename>{path}</SourceFilename><SourceBand>1</SourceBand>{nodata}
      <Kernel normalized="{normalized}"><Size>3</Size><Coefs>{weights}</Coefs></Kernel></KernelFilteredSource></VRTRasterBand></VRTDataset>"""
    return " ".join(f"{cell:.9g}" for cell in gdal.Open(vrt).ReadAsArray()[2])

level = [[100] * 5 for _ in range(5)]
gap = [row[:] for row in level]
gap[2][2] = -9999
plain, pit = raster(level), raster(gap, missing=-9999)
nodata = "<NODATA>-9999</NODATA>"
print(filtered(plain, MEAN, 1))
print(filtered(pit, MEAN, 1))
print(filtered(pit, MEAN, 1, nodata=nodata))
print(filtered(pit, DIFFERENCE, 0))
print(filtered(pit, DIFFERENCE, 0, nodata=nodata))
print(filtered(pit, DIFFERENCE, 1))
slope = raster([[10, 11, 13, 16, 20]] * 5)
print(filtered(slope, DIFFERENCE, 0))
print(filtered(slope, DIFFERENCE, 1))
large = [[16777217] * 5] * 5
print(filtered(raster(large), SAME, 0))
print(filtered(raster(large, gdal.GDT_Int32), SAME, 0, "Int32"))
PY
readarray -t seen < <(python "$TEMP/look.py" "$TEMP")
echo 'The row in the middle of five by five cells that are 100, the one in the middle missing'
expect 'means, if none is missing' '100 100 100 100 100' "${seen[0]:-}"
expect 'means' '100 100 -9999 100 100' "${seen[1]:-}"
expect 'means, with NODATA' '100 88.8888855 88.8888855 88.8888855 100' "${seen[2]:-}"
expect 'derivatives' '0 -50 -9999 50 0' "${seen[3]:-}"
expect 'derivatives, with NODATA' '0 -50 0 50 0' "${seen[4]:-}"
expect 'derivatives, normalized' '0 100 -9999 100 0' "${seen[5]:-}"
echo 'The row in the middle of five by five other cells'
expect 'derivatives of 10 11 13 16 20' '0.5 1.5 2.5 3.5 2' "${seen[6]:-}"
expect 'derivatives of 10 11 13 16 20, normalized' '0 0 0 0 0' "${seen[7]:-}"
expect 'doubles of 16777217, by a kernel that keeps them' '16777216 16777216 16777216 16777216 16777216' "${seen[8]:-}"
expect 'integers of 16777217, by a kernel that keeps them' '16777216 16777216 16777216 16777216 16777216' "${seen[9]:-}"
finish
