#!/usr/bin/env bash
# TensorFlow.js 4.22.0: maxima of cells below 0 are 1.18e-38 in one backend, and means over a NaN are -Infinity there; in both, pools with dilation take zeros
# for what is outside.
#
# A program chooses a backend for its speed: the API describes one result for all. dilation2d, the dilation of grey images, is a moving maximum if its filter
# is zeros. WebAssembly begins each maximum at the least normal float above 0, which is then the maximum of depths, losses and logarithms of probabilities.
# There a mean is -Infinity if its window has a NaN, and a maximum is if its window begins with one, even though greater numbers follow. The backend in
# JavaScript has NaN for the mean, and leaves NaN out of maxima. avgPool and maxPool leave out what is beyond the edge. pool() with a dilation, which is the
# same over every second cell, counts zeros there: maxima of cells below 0 are 0 at the edges, and means are drawn towards 0.
. "$(dirname "$0")/packages.bash"
npm_packages @tensorflow/tfjs@4.22.0 @tensorflow/tfjs-backend-wasm@4.22.0
cat > "$TEMP/look.mjs" <<'JS'
import * as tf from '@tensorflow/tfjs';
import '@tensorflow/tfjs-backend-wasm';

console.info = console.warn = () => {};
const depths = [-5, -3, -8, -2, -7, -4];
const gap = [1, 2, NaN, 3, 4, 5];
const row = cells => tf.tensor4d(cells, [1, 1, cells.length, 1]);
const line = tensor => [...tensor.dataSync()].map(cell => Number(cell.toPrecision(3))).join(' ');
for (const backend of ['cpu', 'wasm']) {
  await tf.setBackend(backend);
  await tf.ready();
  console.log(tf.getBackend());
  console.log(line(tf.dilation2d(tf.tensor3d(depths, [1, 6, 1]), tf.zeros([1, 3, 1]), 1, 'same')));
  console.log(line(tf.maxPool(row(depths), [1, 3], 1, 'same')));
  console.log(line(tf.avgPool(row(gap), [1, 3], 1, 'same')));
  console.log(line(tf.maxPool(row(gap), [1, 3], 1, 'same')));
  console.log(line(tf.conv2d(row(gap), tf.ones([1, 3, 1, 1]), 1, 'same')));
  console.log(line(tf.pool(row(depths), [1, 3], 'max', 'same', [1, 2])));
  console.log(line(tf.pool(row(depths), [1, 3], 'avg', 'same', [1, 2])));
  console.log(line(tf.avgPool(row(depths), [1, 5], 1, 'same')));
}
JS
readarray -t seen < <(cd "$TEMP" && node look.mjs 2> "$TEMP/node.log" | grep -E '^(cpu|wasm|[-0-9N])')
echo 'Windows of three cells over -5 -3 -8 -2 -7 -4, or 1 2 NaN 3 4 5'
for backend in cpu wasm; do
  offset=$([ "$backend" = cpu ] && echo 0 || echo 9)
  both() { expect "  $1" "$2" "${seen[offset + $3]:-}"; }
  each() { expect "  $1" "$([ "$backend" = cpu ] && echo "$2" || echo "$3")" "${seen[offset + $4]:-}"; }
  expect 'backend' "$backend" "${seen[offset]:-}"
  each 'maxima by dilation2d' '-3 -3 -2 -2 -2 -4' '1.18e-38 1.18e-38 1.18e-38 1.18e-38 1.18e-38 1.18e-38' 1
  both 'maxima by maxPool' '-3 -3 -2 -2 -2 -4' 2
  each 'means over a NaN' '1.5 NaN NaN NaN 4 4.5' '1.5 -Infinity -Infinity -Infinity 4 4.5' 3
  each 'maxima over a NaN' '2 2 3 4 5 5' '2 2 3 -Infinity 5 5' 4
  both 'sums over a NaN, by conv2d' '3 NaN NaN NaN 12 9' 5
  both 'maxima of every second cell, by pool' '0 0 -5 -2 0 0' 6
  both 'means of every second cell, by pool' '-4.33 -1.67 -6.67 -3 -5 -2' 7
  both 'means of five neighbours, by avgPool' '-5.33 -4.5 -5 -4.8 -5.25 -4.33' 8
done
finish
