#!/usr/bin/env bash
# tiff 7.1.3 and UTIF 3.1.0 (npm): horizontal differences in tiles are added up wrongly, and UTIF takes what it cannot decompress for zeros.
#
# TIFF's predictor 2 begins anew at the left edge of each tile. Of a raster in tiles of 16 x 16 both readers get most cells wrong, without an error, and
# without the predictor all of them right. UTIF knows nothing of zstd, and says nothing of it: it gives zeros.
. "$(dirname "$0")/packages.bash"
debian python3-gdal=3.6.2+dfsg-1+b2 python3-numpy=1:1.24.2-1+deb12u1
npm_packages tiff@7.1.3 utif@3.1.0
cat > "$TEMP/make.py" <<'PY'
import sys
import numpy
from osgeo import gdal

gdal.UseExceptions()
cells = (numpy.arange(24 * 40).reshape(24, 40) * 7 % 1000).astype("u2")
cells.tofile(sys.argv[1] + "/cells")
for name, options in (
    ("plain", ["COMPRESS=LZW", "TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"]),
    ("differences", ["COMPRESS=LZW", "PREDICTOR=2", "TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"]),
    ("zstd", ["COMPRESS=ZSTD"]),
):
    file = gdal.GetDriverByName("GTiff").Create(sys.argv[1] + "/" + name + ".tif", 40, 24, 1, gdal.GDT_UInt16, options)
    file.GetRasterBand(1).WriteArray(cells)
    file = None
    print((gdal.Open(sys.argv[1] + "/" + name + ".tif").ReadAsArray() == cells).sum(), "of", cells.size)
PY
cat > "$TEMP/look.mjs" <<'JS'
import { readFileSync } from "node:fs";
import { decode } from "tiff";
import UTIF from "utif";

const given = new Uint16Array(new Uint8Array(readFileSync("cells")).buffer);
const right = (cells) => given.filter((cell, i) => cell === cells[i]).length + " of " + given.length;
for (const name of ["plain", "differences", "zstd"]) {
  const file = new Uint8Array(readFileSync(name + ".tif")).buffer;
  try {
    console.log(right(decode(file)[0].data));
  } catch (e) {
    console.log(e.message);
  }
  const [image] = UTIF.decode(file);
  UTIF.decodeImage(file, image);
  console.log(right(new Uint16Array(image.data.buffer, image.data.byteOffset, 40 * 24)));
}
JS
readarray -t gdal < <(python "$TEMP/make.py" "$TEMP")
readarray -t js < <(cd "$TEMP" && node look.mjs)
expect 'GDAL, tiles without a predictor' '960 of 960' "${gdal[0]:-}"
expect 'tiff' '960 of 960' "${js[0]:-}"
expect 'UTIF' '960 of 960' "${js[1]:-}"
expect 'GDAL, tiles of differences' '960 of 960' "${gdal[1]:-}"
expect 'tiff' '384 of 960' "${js[2]:-}"
expect 'UTIF' '320 of 960' "${js[3]:-}"
expect 'GDAL, strips in zstd' '960 of 960' "${gdal[2]:-}"
expect 'tiff' 'Unsupported Compression: 50000' "${js[4]:-}"
expect 'UTIF' '1 of 960' "${js[5]:-}"
finish
