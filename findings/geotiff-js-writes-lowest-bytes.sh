#!/usr/bin/env bash
# geotiff.js 3.0.5 (npm): of arrays of signed integers, writeArrayBuffer writes only the lowest byte of each cell, without an error.
#
# The function takes any TypedArray, and the header that it writes for an Int16Array or Int32Array is right: signed integers of 16 or 32 bits. The cells
# are not: the lowest bytes stand one after the other, and zeros fill the rest of the strip. GDAL and geotiff.js agree on what is in the file.
# Unsigned integers and floating-point numbers are written whole. The documentation calls writing a beta.
. "$(dirname "$0")/packages.bash"
debian python3-gdal=3.6.2+dfsg-1+b2 python3-numpy=1:1.24.2-1+deb12u1
npm_packages geotiff@3.0.5
cat > "$TEMP/look.mjs" <<'JS'
import { writeFileSync } from "node:fs";
import { fromArrayBuffer, writeArrayBuffer } from "geotiff";

for (const Type of [Uint16Array, Int16Array, Int32Array, Float32Array]) {
  const file = await writeArrayBuffer(new Type([1, 2, 3, 4, 5, 260]), { height: 2, width: 3 });
  writeFileSync(Type.name + ".tif", new Uint8Array(file));
  const image = await (await fromArrayBuffer(file)).getImage();
  console.log(...(await image.readRasters())[0]);
}
JS
cat > "$TEMP/look.py" <<'PY'
import sys
from osgeo import gdal

gdal.UseExceptions()
for name in ("Uint16Array", "Int16Array", "Int32Array", "Float32Array"):
    file = gdal.Open(sys.argv[1] + "/" + name + ".tif")
    print(gdal.GetDataTypeName(file.GetRasterBand(1).DataType), *("%d" % value for value in file.ReadAsArray().flat))
PY
readarray -t own < <(cd "$TEMP" && node look.mjs)
readarray -t gdal < <(python "$TEMP/look.py" "$TEMP")
expect '1 2 3 4 5 260 of a Uint16Array, read by geotiff.js' '1 2 3 4 5 260' "${own[0]:-}"
expect 'by GDAL' 'UInt16 1 2 3 4 5 260' "${gdal[0]:-}"
expect 'of an Int16Array, read by geotiff.js' '258 772 1284 0 0 0' "${own[1]:-}"
expect 'by GDAL' 'Int16 258 772 1284 0 0 0' "${gdal[1]:-}"
expect 'of an Int32Array, read by geotiff.js' '16909060 84148224 0 0 0 0' "${own[2]:-}"
expect 'by GDAL' 'Int32 16909060 84148224 0 0 0 0' "${gdal[2]:-}"
expect 'of a Float32Array, read by geotiff.js' '1 2 3 4 5 260' "${own[3]:-}"
expect 'by GDAL' 'Float32 1 2 3 4 5 260' "${gdal[3]:-}"
finish
