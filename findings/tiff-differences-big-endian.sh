#!/usr/bin/env bash
# geotiff.js 3.0.5 (npm) and mil.nga:tiff 3.0.0 (Java): big-endian rasters with horizontal differencing are read as other numbers, without an error.
#
# TIFF's predictor 2 takes differences of samples, and the bytes of a sample are in the order of the file (TIFF 6.0, sections 2 and 14). Both libraries
# add up samples in the order of the machine: cells of one byte are right, and those of two and four bytes are wrong as soon as a sum carries into
# the next byte. Without the predictor, and in little-endian files, the same cells are right; the predictor for cells of eight bytes is refused.
. "$(dirname "$0")/packages.bash"
debian python3-gdal=3.6.2+dfsg-1+b2 python3-numpy=1:1.24.2-1+deb12u1
maven mil.nga:tiff:3.0.0
npm_packages geotiff@3.0.5
cat > "$TEMP/make.py" <<'PY'
import sys
import numpy
from osgeo import gdal

gdal.UseExceptions()
cells = numpy.array([[250, 260, 255, 600, 590, 1200]])
for name, type, options in (
    ("plain", gdal.GDT_Int16, ["ENDIANNESS=BIG"]),
    ("little", gdal.GDT_Int16, ["ENDIANNESS=LITTLE", "PREDICTOR=2"]),
    ("big16", gdal.GDT_Int16, ["ENDIANNESS=BIG", "PREDICTOR=2"]),
    ("big32", gdal.GDT_Int32, ["ENDIANNESS=BIG", "PREDICTOR=2"]),
):
    path = sys.argv[1] + "/" + name + ".tif"
    file = gdal.GetDriverByName("GTiff").Create(path, 6, 1, 1, type, ["COMPRESS=LZW", *options])
    file.GetRasterBand(1).WriteArray(cells)
    file = None
    print(*gdal.Open(path).ReadAsArray().ravel())
PY
cat > "$TEMP/Look.java" <<'JAVA'
import java.io.File;
import mil.nga.tiff.Rasters;
import mil.nga.tiff.TiffReader;

public class Look {
  public static void main(String[] args) throws Exception {
    for (String name : new String[] {"plain", "little", "big16", "big32"}) {
      Rasters cells = TiffReader.readTiff(new File(args[0], name + ".tif")).getFileDirectory().readRasters();
      StringBuilder line = new StringBuilder();
      for (int x = 0; x < cells.getWidth(); x++) {
        line.append(cells.getPixelSample(0, x, 0)).append(' ');
      }
      System.out.println(line.toString().strip());
    }
  }
}
JAVA
cat > "$TEMP/look.mjs" <<'JS'
import { readFileSync } from "node:fs";
import { fromArrayBuffer } from "geotiff";

for (const name of ["plain", "little", "big16", "big32"]) {
  const image = await (await fromArrayBuffer(new Uint8Array(readFileSync(name + ".tif")).buffer)).getImage();
  console.log((await image.readRasters())[0].join(" "));
}
JS
readarray -t gdal < <(python "$TEMP/make.py" "$TEMP")
readarray -t nga < <(java_file "$TEMP/Look.java" "$TEMP")
readarray -t js < <(cd "$TEMP" && node look.mjs)
expect 'GDAL, 16 bits, big-endian' '250 260 255 600 590 1200' "${gdal[0]:-}"
expect 'mil.nga:tiff' '250 260 255 600 590 1200' "${nga[0]:-}"
expect 'geotiff.js' '250 260 255 600 590 1200' "${js[0]:-}"
expect 'GDAL, differences, little-endian' '250 260 255 600 590 1200' "${gdal[1]:-}"
expect 'mil.nga:tiff' '250 260 255 600 590 1200' "${nga[1]:-}"
expect 'geotiff.js' '250 260 255 600 590 1200' "${js[1]:-}"
expect 'GDAL, differences, big-endian' '250 260 255 600 590 1200' "${gdal[2]:-}"
expect 'mil.nga:tiff' '250 4 -1 89 -177 434' "${nga[2]:-}"
expect 'geotiff.js' '250 4 -1 89 -177 434' "${js[2]:-}"
expect 'GDAL, differences of 32 bits, big-endian' '250 260 255 600 590 1200' "${gdal[3]:-}"
expect 'mil.nga:tiff' '250 4 -1 -65447 -16842672 -16842062' "${nga[3]:-}"
expect 'geotiff.js' '250 4 -1 -65447 -16842672 -16842062' "${js[3]:-}"
finish
