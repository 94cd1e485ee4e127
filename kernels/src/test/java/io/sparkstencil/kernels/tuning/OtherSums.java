/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.kernels.codegen.window.MatrixTrialKernel;
import io.sparkstencil.kernels.variant.MatrixShape;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;

/** Ways in which tensor cores might add products; one of them is that of a chain of fma. */
public enum OtherSums {
  /** Each product rounded, then each sum. */
  ROUNDED_PRODUCTS {
    @Override
    double sum(double[] left, double[] right, double added) {
      double sum = added;
      for (int i = 0; i < left.length; i++) {
        sum += left[i] * right[i];
      }
      return sum;
    }
  },
  /** The last product first. */
  FROM_THE_END {
    @Override
    double sum(double[] left, double[] right, double added) {
      double sum = added;
      for (int i = left.length - 1; i >= 0; i--) {
        sum = Math.fma(left[i], right[i], sum);
      }
      return sum;
    }
  },
  /** What is given is added at the end of each four products. */
  ADDED_LAST {
    @Override
    double sum(double[] left, double[] right, double added) {
      double sum = added;
      for (int i = 0; i < left.length; i += MatrixShape.PART) {
        double four = left[i] * right[i];
        for (int j = i + 1; j < i + MatrixShape.PART; j++) {
          four = Math.fma(left[j], right[j], four);
        }
        sum += four;
      }
      return sum;
    }
  },
  /** Numbers too small to be normal are zeros. */
  FLUSHED {
    @Override
    double sum(double[] left, double[] right, double added) {
      double sum = flush(added);
      for (int i = 0; i < left.length; i++) {
        sum = flush(Math.fma(flush(left[i]), flush(right[i]), sum));
      }
      return sum;
    }

    private double flush(double number) {
      return Math.abs(number) < Double.MIN_NORMAL ? Math.copySign(0, number) : number;
    }
  },
  /** Of results that are zero, none has a sign. */
  UNSIGNED_ZEROS {
    @Override
    double sum(double[] left, double[] right, double added) {
      return CHAIN.sum(left, right, added) + 0.0;
    }
  },
  /** As Math.fma does it. */
  CHAIN {
    @Override
    double sum(double[] left, double[] right, double added) {
      double sum = added;
      for (int i = 0; i < left.length; i++) {
        sum = Math.fma(left[i], right[i], sum);
      }
      return sum;
    }
  };

  abstract double sum(double[] left, double[] right, double added);

  /** Makes a device add in this way when matrices of any shape are tried. */
  public void on(FakeGpu gpu) {
    for (MatrixShape shape : MatrixShape.values()) {
      on(gpu, shape);
    }
  }

  /** Makes a device add in this way when matrices of a shape are tried. */
  public void on(FakeGpu gpu, MatrixShape shape) {
    MatrixTrialKernel kernel = new MatrixTrialKernel(shape);
    gpu.kernel(kernel.entryName(), (device, threads, args) -> run(kernel, device, threads, args));
  }

  private void run(MatrixTrialKernel kernel, FakeGpu gpu, long threads, long[] args) {
    int products = MatrixTrialKernel.PRODUCTS;
    int blocks = (int) (threads / 32);
    DoubleBuffer input = doubles(gpu.at(args[0], (long) blocks * kernel.inputs() * Double.BYTES));
    DoubleBuffer output = doubles(gpu.at(args[1], (long) blocks * kernel.results() * Double.BYTES));
    for (int block = 0; block < blocks; block++) {
      int left = block * kernel.inputs();
      int right = left + kernel.leftCells();
      int added = right + kernel.rightCells();
      for (int i = 0; i < kernel.results(); i++) {
        double[] row = some(input, left + i / MatrixShape.COLUMNS * products, products);
        double[] column = some(input, right + i % MatrixShape.COLUMNS * products, products);
        output.put(block * kernel.results() + i, sum(row, column, input.get(added + i)));
      }
    }
  }

  private static DoubleBuffer doubles(ByteBuffer bytes) {
    return bytes.asDoubleBuffer();
  }

  private static double[] some(DoubleBuffer from, int first, int count) {
    double[] cells = new double[count];
    from.get(first, cells);
    return cells;
  }
}
