#!/usr/bin/env bash
# SciPy 1.10.1 (Debian 12): ndimage.sobel with mode='constant' pads twice.
#
# A Sobel filter is a derivative along one axis and a smoothing along the others. SciPy runs them as passes, and gives each pass the same
# cval. The second pass therefore pads the *derivative* by cval, though the derivative of an image padded by cval is 0 out there. An image
# that is cval everywhere, whose derivative is 0 everywhere, gets edges. With cval = 0, the default, both agree, so that it is rarely seen.
. "$(dirname "$0")/packages.bash"
debian python3-scipy=1.10.1-2
cat > "$TEMP/look.py" <<'PY'
import numpy as np, scipy
from scipy import ndimage
flat = np.full((4, 5), 7.0)
print(scipy.__version__)
print(ndimage.sobel(flat, axis=0, mode="constant", cval=7.0)[:, 0].tolist())
# The same derivative by hand: pad the image once, and filter what is padded.
rng = np.random.default_rng(1)
image = rng.random((6, 7))
once = ndimage.sobel(np.pad(image, 2, constant_values=3.0), axis=0, mode="nearest")[2:-2, 2:-2]
twice = ndimage.sobel(image, axis=0, mode="constant", cval=3.0)
inside = np.s_[1:-1, 1:-1]
print(np.allclose(once[inside], twice[inside]), np.allclose(once, twice))
# correlate has one pass, hence one padding.
kernel = np.outer([-1, 0, 1], [1, 2, 1])
print(np.allclose(ndimage.correlate(image, kernel, mode="constant", cval=3.0), once))
PY
readarray -t lines < <(python "$TEMP/look.py")
expect 'version' '1.10.1' "${lines[0]}"
expect 'first column of the derivative of an even image' '[7.0, 7.0, 7.0, 7.0]' "${lines[1]}"
expect 'as if padded once: inside, everywhere' 'True False' "${lines[2]}"
expect 'correlate with the same weights: as if padded once' 'True' "${lines[3]}"
finish
