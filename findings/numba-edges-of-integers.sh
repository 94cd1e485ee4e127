#!/usr/bin/env bash
# Numba 0.56.4, @stencil: edges of integer arrays hold memory that nobody has written if cval is NaN, and the wrong number if it has a fraction.
#
# Cells whose neighbours lie outside the array have the value of cval, which is 0 unless it is given. Of integers, a kernel that only adds has integer results,
# which have no NaN. Numba neither refuses it nor stores a number: it returns new memory as it is. The first 256 bytes of that have the mark 0xCB, which is
# -3761688987579986997 in 64 bits, and from the 33rd cell on it is what lay there before. The same kernel with parallel=True is refused. A cval of 0.5 becomes 0
# in silence. In an array that out= gives, edges are not written unless there is a cval, so that they keep what they had and are not 0.
. "$(dirname "$0")/packages.bash"
debian python3-numba=0.56.4+dfsg-2
cat > "$TEMP/look.py" <<'PY'
import numpy as np
from numba import njit, stencil

@stencil(cval=np.nan)
def missing(a):
    return a[-1] + a[1]

@stencil(cval=0.5)
def half(a):
    return a[-1] + a[1]

@stencil
def zero(a):
    return a[-1] + a[1]

def line(cells):
    return " ".join(f"{cell:g}" for cell in cells)

integers = np.arange(1, 41)
print(line(missing(integers[:6] * 1.0)))
made = missing(integers)
print(made.dtype, line(made[1:6]))
print(made[0])
print(made[-1] == made[0])
given = np.full(6, -9)
missing(integers[:6], out=given)
print(line(given))
try:
    njit(parallel=True)(lambda a: missing(a))(integers)
    print("computed")
except ValueError as error:
    print(str(error).strip().splitlines()[1])
print(line(half(integers[:6])))
print(line(zero(integers[:6])))
given = np.full(6, -9)
zero(integers[:6], out=given)
print(line(given))
PY
readarray -t seen < <(python "$TEMP/look.py")
echo 'Sums of the cells before and after, of the numbers from 1 on'
expect 'six doubles, cval=nan' 'nan 4 6 8 10 nan' "${seen[0]:-}"
expect 'forty integers, cval=nan, from the second cell on' 'int64 4 6 8 10 12' "${seen[1]:-}"
expect 'their first cell' '-3761688987579986997' "${seen[2]:-}"
expect 'their last cell is the same' 'False' "${seen[3]:-}"
expect 'six integers, cval=nan, into an array of -9' '-9 4 6 8 10 -9' "${seen[4]:-}"
expect 'integers, cval=nan, parallel=True' 'cannot convert float NaN to integer' "${seen[5]:-}"
expect 'six integers, cval=0.5' '0 4 6 8 10 0' "${seen[6]:-}"
expect 'six integers, without cval' '0 4 6 8 10 0' "${seen[7]:-}"
expect 'six integers, without cval, into an array of -9' '-9 4 6 8 10 -9' "${seen[8]:-}"
finish
