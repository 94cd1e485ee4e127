#!/usr/bin/env bash
# Vega 6.4.0: moving minima and maxima are others where a median is asked for beside them, and moving products are NaN once a 0 has left the frame.
#
# The transform "window" computes aggregates over a sliding frame, and its manual describes each as if it stood alone. Of 1 to 8, the least of two cells is
# 1 1 2 3 4 5 6 7 where nothing else is asked for, and 1 1 2 2 2 2 2 2 where the same transform has a median or a quartile, too: the extremes of an earlier
# frame are then taken for those of this one. A product is divided by what leaves the frame, so that it stays NaN after a 0, and so does a sum after an infinite
# value. All are right where the rows before are not there, and extremes in a transform of their own.
. "$(dirname "$0")/packages.bash"
npm_packages vega@6.4.0
cat > "$TEMP/look.mjs" <<'JS'
import * as vega from 'vega';

// Prints the column that the first of the operations gives.
async function look(cells, ...ops) {
  const values = cells.map((v, t) => ({ t, v }));
  const window = { type: 'window', sort: { field: 't' }, frame: [-1, 0], ops, fields: ops.map(() => 'v'), as: ops };
  const view = new vega.View(vega.parse({ data: [{ name: 'rows', values, transform: [window] }] }), { renderer: 'none' });
  await view.runAsync();
  console.log(view.data('rows').map(row => row[ops[0]]).join(' '));
}

const rising = [1, 2, 3, 4, 5, 6, 7, 8];
const mixed = [3, 1, 2, -5, 4, 0, 2, 1];
await look(rising, 'min');
await look(rising, 'min', 'median');
await look(rising, 'min', 'q1');
await look(rising, 'median', 'min');
await look(mixed, 'max');
await look(mixed, 'max', 'median');
await look(mixed, 'min');
await look(mixed, 'min', 'median');
await look([3, 0, 2, 5, 4], 'product');
await look([2, 5, 4], 'product');
await look([3, Infinity, 2, 5, 4], 'sum');
JS
readarray -t seen < <(cd "$TEMP" && node look.mjs)
echo 'Frames of two rows: the row before and the row itself'
expect 'minima of 1 to 8' '1 1 2 3 4 5 6 7' "${seen[0]:-}"
expect 'minima of 1 to 8, with medians beside them' '1 1 2 2 2 2 2 2' "${seen[1]:-}"
expect 'minima of 1 to 8, with quartiles beside them' '1 1 2 2 2 2 2 2' "${seen[2]:-}"
expect 'medians of 1 to 8, with minima beside them' '1 1.5 2.5 3.5 4.5 5.5 6.5 7.5' "${seen[3]:-}"
expect 'maxima of 3 1 2 -5 4 0 2 1' '3 3 2 2 4 4 2 2' "${seen[4]:-}"
expect 'maxima of the same, with medians beside them' '3 3 2 2 2 2 2 2' "${seen[5]:-}"
expect 'minima of the same' '3 1 1 -5 -5 0 0 1' "${seen[6]:-}"
expect 'minima of the same, with medians beside them' '3 1 1 -5 -5 -5 -5 -5' "${seen[7]:-}"
expect 'products of 3 0 2 5 4' '3 0 0 NaN NaN' "${seen[8]:-}"
expect 'products of 2 5 4' '2 10 20' "${seen[9]:-}"
expect 'sums of 3 infinity 2 5 4' '3 Infinity Infinity NaN NaN' "${seen[10]:-}"
finish
