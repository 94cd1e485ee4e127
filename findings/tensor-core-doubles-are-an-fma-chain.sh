#!/usr/bin/env bash
# NVIDIA tensor cores, sm_80 and later (needs a GPU, and nothing but its driver): mma.sync for f64 has the bits of Math.fma.
#
# The PTX manual says of mma.sync.m8n8k4 for f64 that it multiplies and adds with the rounding of fma, not in which order or how often it
# rounds. Over random, badly scaled and special inputs each result has the bits of a chain of fused multiply-adds in the order of k that
# begins with C. Other orders do not fit. A CPU can therefore reproduce it to the bit.
. "$(dirname "$0")/packages.bash"
command -v nvidia-smi > /dev/null || { echo 'This needs a GPU of compute capability 8.0 or more; there is none here.' >&2; exit 2; }
maven org.jcuda:jcuda:12.6.0
cat > "$TEMP/Look.java" <<'JAVA'
import java.util.Random;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

public class Look {
  static final int WARPS = 8192;
  static final double[] SPECIAL = {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, 1e-310, Double.MAX_VALUE, 1e300};
  static final String PTX = """
      .version 7.0
      .target sm_80
      .address_size 64
      .visible .entry multiply(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd) {
        .reg .u64 %a, %b, %c, %d, %i, %j;
        .reg .u32 %w, %l;
        .reg .f64 %x, %y, %c0, %c1, %d0, %d1;
        ld.param.u64 %a, [pa]; ld.param.u64 %b, [pb]; ld.param.u64 %c, [pc]; ld.param.u64 %d, [pd];
        mov.u32 %w, %ctaid.x; mov.u32 %l, %tid.x;
        mad.lo.u32 %w, %w, 32, %l;
        mul.wide.u32 %i, %w, 8; mul.wide.u32 %j, %w, 16;
        add.u64 %a, %a, %i; add.u64 %b, %b, %i; add.u64 %c, %c, %j; add.u64 %d, %d, %j;
        ld.global.f64 %x, [%a]; ld.global.f64 %y, [%b]; ld.global.v2.f64 {%c0, %c1}, [%c];
        mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0, %d1}, {%x}, {%y}, {%c0, %c1};
        st.global.v2.f64 [%d], {%d0, %d1};
        ret;
      }
      """;

  public static void main(String[] args) {
    JCudaDriver.setExceptionsEnabled(true);
    JCudaDriver.cuInit(0);
    CUdevice device = new CUdevice();
    JCudaDriver.cuDeviceGet(device, 0);
    JCudaDriver.cuCtxCreate(new CUcontext(), 0, device);
    CUmodule module = new CUmodule();
    JCudaDriver.cuModuleLoadData(module, PTX);
    CUfunction multiply = new CUfunction();
    JCudaDriver.cuModuleGetFunction(multiply, module, "multiply");
    for (int kind = 0; kind < 3; kind++) {
      Random random = new Random(kind);
      double[] a = values(random, kind, WARPS * 32);
      double[] b = values(random, kind, WARPS * 32);
      double[] c = values(random, kind, WARPS * 64);
      double[] d = new double[WARPS * 64];
      CUdeviceptr onA = copy(a);
      CUdeviceptr onB = copy(b);
      CUdeviceptr onC = copy(c);
      CUdeviceptr onD = copy(d);
      Pointer parameters = Pointer.to(Pointer.to(onA), Pointer.to(onB), Pointer.to(onC), Pointer.to(onD));
      JCudaDriver.cuLaunchKernel(multiply, WARPS, 1, 1, 32, 1, 1, 0, null, parameters, null);
      JCudaDriver.cuMemcpyDtoH(Pointer.to(d), onD, d.length * 8L);
      long fromFirst = 0;
      long fromLast = 0;
      long rounded = 0;
      for (int i = 0; i < d.length; i++) {
        int warp = i / 64;
        int row = i % 64 / 8;
        int column = i % 8;
        double first = c[i];
        double last = c[i];
        double products = c[i];
        for (int k = 0; k < 4; k++) {
          first = Math.fma(a[warp * 32 + row * 4 + k], b[warp * 32 + column * 4 + k], first);
          last = Math.fma(a[warp * 32 + row * 4 + 3 - k], b[warp * 32 + column * 4 + 3 - k], last);
          products += a[warp * 32 + row * 4 + k] * b[warp * 32 + column * 4 + k];
        }
        fromFirst += Double.doubleToLongBits(first) == Double.doubleToLongBits(d[i]) ? 1 : 0;
        fromLast += Double.doubleToLongBits(last) == Double.doubleToLongBits(d[i]) ? 1 : 0;
        rounded += Double.doubleToLongBits(products) == Double.doubleToLongBits(d[i]) ? 1 : 0;
      }
      System.out.println(fromFirst + " of " + d.length);
      System.out.println(fromLast < d.length && rounded < d.length ? "fewer" : "all");
    }
  }

  static double[] values(Random random, int kind, int count) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      double uniform = random.nextDouble() - 0.5;
      values[i] = kind == 0 ? uniform : kind == 1 ? Math.scalb(uniform, random.nextInt(40) - 20)
          : random.nextInt(16) == 0 ? SPECIAL[random.nextInt(SPECIAL.length)] : uniform;
    }
    return values;
  }

  static CUdeviceptr copy(double[] values) {
    CUdeviceptr pointer = new CUdeviceptr();
    JCudaDriver.cuMemAlloc(pointer, values.length * 8L);
    JCudaDriver.cuMemcpyHtoD(pointer, Pointer.to(values), values.length * 8L);
    return pointer;
  }
}
JAVA
readarray -t lines < <(java_file "$TEMP/Look.java")
for kind in 0 1 2; do
  name=(uniform 'over 40 binary orders' 'with NaN, infinities, subnormals, both zeros')
  expect "${name[$kind]}: fma chain from C in the order of k" '524288 of 524288' "${lines[$((2 * kind))]}"
  expect '    from the last k, or with rounded products' 'fewer' "${lines[$((2 * kind + 1))]}"
done
finish
