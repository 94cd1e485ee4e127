#!/usr/bin/env bash
# VTK 9.1.0: at the border vtkImageConvolve takes other weights of its kernel than inside, so that a kernel that keeps all cells changes those of the border.
#
# The class describes itself as the convolution of an image with a kernel, and its output has the extent of its input. At the border it leaves out the cells
# that are outside, and not their weights: the cells that are there get the first weights, in order. A kernel whose one weight is in the middle makes the
# first row the second, a cell at the left the one below it, and corners 0. Derivatives are 0 at the ends of a ramp, and in its corners they have the other
# sign. Means have the right weights, since all are equal, but are those over zeros. vtkImageGradient repeats the cell at the edge and has none of this.
. "$(dirname "$0")/packages.bash"
debian python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.py" <<'PY'
import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy

def filtered(algorithm, cells):
    image = vtk.vtkImageData()
    image.SetDimensions(cells.shape[1], cells.shape[0], 1)
    image.GetPointData().SetScalars(numpy_to_vtk(cells.ravel(), deep=True))
    algorithm.SetInputData(image)
    algorithm.Update()
    made = algorithm.GetOutput()
    return vtk_to_numpy(made.GetPointData().GetScalars()).reshape(*cells.shape, -1)[:, :, 0]

def kernel(*weights):
    convolution = vtk.vtkImageConvolve()
    convolution.SetKernel3x3(weights)
    return convolution

def line(cells):
    return " ".join(f"{cell:.4g}" for cell in cells)

numbered = np.array([[10 * y + x for x in range(1, 6)] for y in range(1, 5)], float)
print(vtk.vtkVersion.GetVTKVersion())
for row in filtered(kernel(0, 0, 0, 0, 1, 0, 0, 0, 0), numbered):
    print(line(row))
ramp = np.array([[10, 11, 13, 16, 20, 25, 31]] * 5, float)
print(line(filtered(kernel(0, 0, 0, -0.5, 0, 0.5, 0, 0, 0), ramp)[2]))
print(line(filtered(kernel(0, 0, 0, -0.5, 0, 0.5, 0, 0, 0), ramp)[0]))
print(line(filtered(kernel(*[1 / 9] * 9), ramp)[2]))
gradient = vtk.vtkImageGradient()
gradient.SetDimensionality(2)
print(line(filtered(gradient, ramp)[2]))
PY
readarray -t seen < <(python "$TEMP/look.py")
expect 'VTK' '9.1.0' "${seen[0]:-}"
echo 'Rows of 11 to 15, 21 to 25, 31 to 35 and 41 to 45, by a kernel that keeps them'
expect 'first row' '0 22 23 24 0' "${seen[1]:-}"
expect 'second row' '31 22 23 24 34' "${seen[2]:-}"
expect 'third row' '41 32 33 34 44' "${seen[3]:-}"
expect 'fourth row' '0 42 43 44 0' "${seen[4]:-}"
echo 'Five rows of 10 11 13 16 20 25 31'
expect 'half of right minus left, in the middle' '0 1.5 2.5 3.5 4.5 5.5 0' "${seen[5]:-}"
expect 'half of right minus left, in the first row' '-5.5 1.5 2.5 3.5 4.5 5.5 -15.5' "${seen[6]:-}"
expect 'means of 3 by 3' '7 11.33 13.33 16.33 20.33 25.33 18.67' "${seen[7]:-}"
expect 'vtkImageGradient' '0.5 1.5 2.5 3.5 4.5 5.5 3' "${seen[8]:-}"
finish
