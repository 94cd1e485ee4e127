#!/usr/bin/env bash
# ONNX Runtime 1.30.0 for the Web: a moving maximum over a NaN depends on whether the same numbers are a series, a row or a column; maxima of -Infinity are
# -3.4e38; and padding that wraps around has zeros in front where it is wider than the array.
#
# MaxPool is a moving maximum, and its page has the same definition for any number of axes. As a series of eight cells, NaN is left out. As a row of an image
# one cell high, the maximum is NaN for as long as NaN is in the window. As a column of an image one cell wide, and in doubles of any shape, a NaN makes the
# maximum forget what came before it. Windows over -Infinity alone, as logarithms of probabilities have them, are the least finite float in series of floats,
# and -Infinity in doubles. By its page, Pad wraps around as on a torus. Behind the array it does, as often as it takes; in front it repeats the array
# once and does not fill what is left, without an error. "edge" pads to any width, and "reflect" refuses what it cannot do.
. "$(dirname "$0")/packages.bash"
npm_packages onnxruntime-web@1.30.0
cat > "$TEMP/look.mjs" <<'JS'
import * as ort from 'onnxruntime-web';

// Messages of a model with one operation, in the encoding of Protocol Buffers: bytes that follow their number, whole numbers of 7 bits a byte, and texts.
const whole = number => (number < 128 ? [number] : [(number & 127) | 128, ...whole(number >> 7)]);
const bytes = (field, content) => [...whole(field * 8 + 2), ...whole(content.length), ...content];
const number = (field, value) => [...whole(field * 8), ...whole(value)];
const text = (field, value) => bytes(field, [...Buffer.from(value)]);
const types = { float32: 1, float64: 11, int64: 7 };
const value = (name, type) => [...text(1, name), ...bytes(2, bytes(1, number(1, types[type])))];
const attribute = (name, given) =>
  typeof given === 'string' ? [...text(1, name), ...text(4, given), ...number(20, 3)] : [...text(1, name), ...given.flatMap(n => number(8, n)), ...number(20, 7)];

async function run(operation, inputs, attributes) {
  const names = Object.keys(inputs);
  const node = [...names.flatMap(name => text(1, name)), ...text(2, 'y'), ...text(4, operation),
    ...Object.entries(attributes).flatMap(([name, given]) => bytes(5, attribute(name, given)))];
  const graph = [...bytes(1, node), ...text(2, 'one'), ...names.flatMap(name => bytes(11, value(name, inputs[name].type))), ...bytes(12, value('y', inputs.x.type))];
  const model = [...number(1, 8), ...bytes(7, graph), ...bytes(8, number(2, 19))];
  const session = await ort.InferenceSession.create(Uint8Array.from(model));
  console.log([...(await session.run(inputs)).y.data].map(cell => Number(cell.toPrecision(3))).join(' '));
}

async function padded(mode, width) {
  const pads = new ort.Tensor('int64', BigInt64Array.from([width, width].map(BigInt)), [2]);
  await run('Pad', { x: new ort.Tensor('float32', Float32Array.from([1, 2, 3]), [3]), pads }, { mode });
}

async function maxima(type, cells, ...image) {
  const array = type === 'float32' ? Float32Array.from(cells) : Float64Array.from(cells);
  const shape = image.length ? image : [cells.length];
  const window = { kernel_shape: shape.map(extent => (extent === 1 ? 1 : 3)) };
  await run('MaxPool', { x: new ort.Tensor(type, array, [1, 1, ...shape]) }, window);
}

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';
await padded('wrap', 3);
await padded('wrap', 5);
await padded('edge', 5);
const gap = [1, 2, NaN, 3, 4, 5, 0, -1];
await maxima('float32', gap);
await maxima('float32', gap, 1, 8);
await maxima('float32', gap, 8, 1);
await maxima('float64', gap);
await maxima('float64', gap, 1, 8);
const log = [-Infinity, -Infinity, -Infinity, -Infinity, -5, -2];
await maxima('float32', log);
await maxima('float64', log);
JS
readarray -t seen < <(cd "$TEMP" && node look.mjs 2> "$TEMP/node.log" || cat "$TEMP/node.log" >&2)
echo 'Pad 1 2 3'
expect 'wrap, three on each side' '1 2 3 1 2 3 1 2 3' "${seen[0]:-}"
expect 'wrap, five on each side' '0 0 1 2 3 1 2 3 1 2 3 1 2' "${seen[1]:-}"
expect 'edge, five on each side' '1 1 1 1 1 1 2 3 3 3 3 3 3' "${seen[2]:-}"
echo 'MaxPool, windows of three over 1 2 NaN 3 4 5 0 -1'
expect 'a series of floats' '2 3 4 5 5 5' "${seen[3]:-}"
expect 'a row of floats' 'NaN NaN NaN 5 5 5' "${seen[4]:-}"
expect 'a column of floats' '2 3 NaN 5 5 5' "${seen[5]:-}"
expect 'a series of doubles' '2 3 NaN 5 5 5' "${seen[6]:-}"
expect 'a row of doubles' '2 3 NaN 5 5 5' "${seen[7]:-}"
echo 'MaxPool, windows of three over four -Infinity, -5 and -2'
expect 'a series of floats' '-3.4e+38 -3.4e+38 -5 -2' "${seen[8]:-}"
expect 'a series of doubles' '-Infinity -Infinity -5 -2' "${seen[9]:-}"
finish
