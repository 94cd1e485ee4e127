#!/usr/bin/env bash
# NVIDIA H100 and H200 (needs such a GPU, and nothing but its driver): the oldest shape of mma.sync for doubles runs at half the rate.
#
# m8n8k4, the only shape that sm_80 has, computes no more in a second than fused multiply-adds outside of the tensor cores; the shapes that came
# with sm_90 compute twice as much. Code written for A100 gains nothing from the tensor cores of H100 until it changes its shape.
. "$(dirname "$0")/packages.bash"
command -v nvidia-smi > /dev/null || { echo 'This needs a GPU of compute capability 9.0; there is none here.' >&2; exit 2; }
maven org.jcuda:jcuda:12.6.0
cat > "$TEMP/Rates.java" <<'JAVA'
import jcuda.Pointer;
import jcuda.driver.*;
public class Rates {
  public static void main(String[] args) {
    JCudaDriver.setExceptionsEnabled(true);
    JCudaDriver.cuInit(0);
    CUdevice device = new CUdevice(); JCudaDriver.cuDeviceGet(device, 0);
    JCudaDriver.cuCtxCreate(new CUcontext(), 0, device);
    CUdeviceptr out = new CUdeviceptr(); JCudaDriver.cuMemAlloc(out, 1 << 24);
    for (String shape : new String[] {"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16", "fma"}) {
      for (int chains : new int[] {8}) {
        int a = shape.equals("m8n8k4") ? 1 : shape.equals("m16n8k4") ? 2 : shape.equals("m16n8k8") ? 4 : 8;
        int b = a == 1 || a == 2 ? 1 : a / 2;
        int c = a == 1 ? 2 : 4;
        int k = shape.equals("fma") ? 1 : Integer.parseInt(shape.substring(shape.indexOf('k') + 1));
        long perInstr = shape.equals("fma") ? 32 : (a == 1 ? 8 : 16) * 8L * k;
        StringBuilder s = new StringBuilder();
        s.append(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry go(.param .u64 o) {\n.reg .u64 %o,%t; .reg .u32 %i,%n; .reg .pred %p; .reg .f64 %x; .reg .f64 %a<8>; .reg .f64 %b<4>; .reg .f64 %c<64>;\n");
        s.append("ld.param.u64 %o,[o]; mov.u32 %i,%tid.x; cvt.rn.f64.u32 %x,%i; mov.u32 %n,0;\n");
        for (int i = 0; i < 8; i++) s.append("mov.f64 %a" + i + ",%x;\n");
        for (int i = 0; i < 4; i++) s.append("mov.f64 %b" + i + ",%x;\n");
        for (int i = 0; i < 64; i++) s.append("mov.f64 %c" + i + ",%x;\n");
        s.append("L:\n");
        for (int r = 0; r < 8; r++) for (int ch = 0; ch < chains; ch++) {
          if (shape.equals("fma")) { s.append("fma.rn.f64 %c" + ch + ",%a0,%b0,%c" + ch + ";\n"); continue; }
          s.append("mma.sync.aligned." + shape + ".row.col.f64.f64.f64.f64 " + regs("c", ch * c, c) + "," + regs("a", 0, a) + "," + regs("b", 0, b) + "," + regs("c", ch * c, c) + ";\n");
        }
        s.append("add.u32 %n,%n,1; setp.lt.u32 %p,%n,1000; @%p bra L;\n");
        for (int i = 1; i < 64; i++) s.append("add.f64 %c0,%c0,%c" + i + ";\n");
        s.append("mul.wide.u32 %t,%i,8; add.u64 %o,%o,%t; st.global.f64 [%o],%c0; ret;}\n");
        CUmodule m = new CUmodule(); JCudaDriver.cuModuleLoadData(m, s.toString());
        CUfunction f = new CUfunction(); JCudaDriver.cuModuleGetFunction(f, m, "go");
        Pointer p = Pointer.to(Pointer.to(out));
        CUevent e0 = new CUevent(), e1 = new CUevent(); JCudaDriver.cuEventCreate(e0, 0); JCudaDriver.cuEventCreate(e1, 0);
        int blocks = 132 * 4;
        float best = 1e9f;
        for (int r = 0; r < 4; r++) {
          JCudaDriver.cuEventRecord(e0, null);
          JCudaDriver.cuLaunchKernel(f, blocks, 1, 1, 128, 1, 1, 0, null, p, null);
          JCudaDriver.cuEventRecord(e1, null); JCudaDriver.cuEventSynchronize(e1);
          float[] ms = new float[1]; JCudaDriver.cuEventElapsedTime(ms, e0, e1); best = Math.min(best, ms[0]);
        }
        double fmas = (double) blocks * 4 * 1000 * 8 * chains * perInstr;
        System.out.printf("%.1f%n", 2 * fmas / best / 1e9);
      }
    }
  }
  static String regs(String p, int from, int n) {
    StringBuilder s = new StringBuilder("{");
    for (int i = 0; i < n; i++) s.append(i > 0 ? "," : "").append("%").append(p).append(from + i);
    return s.append("}").toString();
  }
}
JAVA
readarray -t rates < <(java_file "$TEMP/Rates.java")
echo "TFLOP/s: m8n8k4 ${rates[0]}, m16n8k4 ${rates[1]}, m16n8k8 ${rates[2]}, m16n8k16 ${rates[3]}, fma.rn.f64 ${rates[4]}"
about_half() { python3 -c "print('yes' if 0.45 <= $1 / $2 <= 0.55 else 'no')"; }
expect 'm8n8k4 is half as fast as m16n8k4' 'yes' "$(about_half "${rates[0]}" "${rates[1]}")"
expect 'fma.rn.f64 is half as fast as m16n8k16' 'yes' "$(about_half "${rates[4]}" "${rates[3]}")"
finish
