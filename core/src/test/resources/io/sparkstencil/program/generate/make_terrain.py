# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Makes terrain.txt, a piece of a real elevation model with what GDAL and SciPy compute of it.

Usage: python3 make_terrain.py [FILE ROWS COLUMNS]    (Debian 12: python3-gdal gdal-bin python3-scipy python-matplotlib-data)

The heights are those of the Jacksboro fault that come with Matplotlib: numbers of NASA's SRTM, 344 rows of 403 columns. Some
cells are made missing. With a FILE and 344 403, all of the model is written; TerrainTest reads it with -Dstencil.test.terrain=FILE.
The first line has the distances between rows and columns in metres; each other line a name, the numbers of rows and of columns, and the cells.
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from osgeo import gdal
from scipy import ndimage

gdal.UseExceptions()
MODEL = "/usr/share/matplotlib/mpl-data/sample_data/jacksboro_fault_dem.npz"
NODATA = -32768


def heights(rows, columns):
    model = np.load(MODEL)
    metres = 6371000 * np.pi / 180
    latitude = np.radians((model["ymin"] + model["ymax"]) / 2)
    found = model["elevation"][:rows, :columns].astype("f8")
    missing = np.random.default_rng(7).random(found.shape) < 0.02
    missing[rows // 3 : rows // 3 + 6, columns // 2 : columns // 2 + 9] = True
    found[missing] = np.nan
    return found, float(model["dy"] * metres), float(model["dx"] * metres * np.cos(latitude))


def gdaldem(folder, heights, dy, dx, mode, *options):
    raster = str(folder / "heights.tif")
    made = gdal.GetDriverByName("GTiff").Create(raster, heights.shape[1], heights.shape[0], 1, gdal.GDT_Float32)
    made.SetGeoTransform([0, dx, 0, 0, 0, -dy])
    made.GetRasterBand(1).SetNoDataValue(NODATA)
    made.GetRasterBand(1).WriteArray(np.where(np.isnan(heights), NODATA, heights))
    made = None
    result = str(folder / (mode + ".tif"))
    subprocess.run(["gdaldem", mode, raster, result, "-q", *options], check=True)
    opened = gdal.Open(result)  # a band lives as long as its file is open
    band = opened.GetRasterBand(1)
    cells = band.ReadAsArray().astype("f8")
    cells[cells == band.GetNoDataValue()] = np.nan
    return cells


def main():
    here = pathlib.Path(__file__).parent
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here / "terrain.txt"
    rows, columns = map(int, sys.argv[2:4]) if len(sys.argv) > 3 else (24, 30)
    z, dy, dx = heights(rows, columns)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        results = {
            "heights": z,
            "slope": gdaldem(folder, z, dy, dx, "slope"),
            "aspect": gdaldem(folder, z, dy, dx, "aspect"),
            "hillshade": gdaldem(folder, z, dy, dx, "hillshade"),
        }
    for name, function in [("mean", np.nanmean), ("median", np.nanmedian), ("stddev", np.nanstd)]:
        results[name] = ndimage.generic_filter(z, function, 5, mode="reflect")
    with open(target, "w") as file:
        file.write("%r %r\n" % (dy, dx))
        for name, cells in results.items():
            file.write("%s %d %d %s\n" % (name, *cells.shape, " ".join("NaN" if np.isnan(c) else repr(float(c)) for c in cells.ravel())))


main()
