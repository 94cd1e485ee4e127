#!/usr/bin/env bash
# Arrow JS 21.2.0: numbers too large for Float16 are small numbers, and some that are small are -Infinity, in silence.
#
# A Float16 is a number of 16 bits by IEEE 754 (Arrow, Schema.fbs, FloatingPoint), whose section 4.3.1 rounds to the nearest, a tie to the even one, and
# what is too large to infinity. So does NumPy, from whose conversion Arrow JS says to have its own. In Arrow JS a number from 65536 on is infinity only if
# it has more than 21 significant bits: a pressure of 101325 is 3.09. Numbers from 0.000061006 to the least normal one, 0.000061035, are -Infinity, and
# ties go up. Columns that others wrote are read rightly.
. "$(dirname "$0")/packages.bash"
npm_packages apache-arrow@21.2.0
debian python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.mjs" <<'JS'
import { Float16, makeData, Vector, tableFromIPC, tableToIPC, Table, vectorFromArray } from "apache-arrow";

const cells = [65504, 65535, 65536, 101325, 1000000, 1000000.1, -70000, 0.00006103, 0.0000609, 2049];
const read = tableFromIPC(tableToIPC(new Table({ cells: vectorFromArray(cells, new Float16()) }))).getChild("cells");
console.log([...read].map((cell) => Number(cell.toPrecision(6))).join(" "));
const patterns = Uint16Array.from({ length: 65536 }, (_, index) => index);
const all = new Vector([makeData({ type: new Float16(), data: patterns })]);
console.log([...all].filter((cell) => !Number.isNaN(cell)).reduce((sum, cell) => sum + (Number.isFinite(cell) ? Math.abs(cell) : 0), 0));
JS
cat > "$TEMP/look.py" <<'PY'
import numpy

cells = numpy.array([65504, 65535, 65536, 101325, 1000000, 1000000.1, -70000, 0.00006103, 0.0000609, 2049])
print(*["%.6g" % cell for cell in cells.astype(numpy.float16)])
all = numpy.arange(65536, dtype=numpy.uint16).view(numpy.float16).astype(float)
print("%.17g" % numpy.abs(all[numpy.isfinite(all)]).sum())
PY
readarray -t arrow < <(cd "$TEMP" && node look.mjs)
readarray -t numpy < <(python "$TEMP/look.py")
echo '65504 65535 65536 101325 1000000 1000000.1 -70000 0.00006103 0.0000609 2049'
expect 'NumPy' '65504 inf inf inf inf inf -inf 6.10352e-05 6.09159e-05 2048' "${numpy[0]:-}"
expect 'Arrow JS' '65504 Infinity 2 3.0918 3.81445 Infinity -2.13477 -Infinity 0.0000609159 2050' "${arrow[0]:-}"
expect 'NumPy, all finite numbers of 16 bits, added up' '201261055.875' "${numpy[1]:-}"
expect 'Arrow JS' '201261055.875' "${arrow[1]:-}"
finish
