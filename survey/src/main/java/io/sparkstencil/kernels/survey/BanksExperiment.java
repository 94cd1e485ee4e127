/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.survey.ProductKernel;
import io.sparkstencil.kernels.codegen.survey.ProductKernel.Form;
import io.sparkstencil.kernels.codegen.survey.RateKernel.Operation;
import io.sparkstencil.kernels.codegen.survey.SharedLoadKernel.Layout;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.BenchLaunch;
import io.sparkstencil.kernels.survey.bench.CurveBuilder;
import io.sparkstencil.kernels.survey.bench.DeviceRates;
import io.sparkstencil.kernels.survey.bench.FindingBuilder;
import io.sparkstencil.kernels.survey.bench.Rates;
import io.sparkstencil.kernels.survey.bench.SurveyExperiment;
import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.Claim;
import io.sparkstencil.survey.Claim.Verdict;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Limit;
import io.sparkstencil.survey.SurveyChart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What conflicts between the banks of shared memory cost. */
final class BanksExperiment implements SurveyExperiment {
  private static final int BANKS = 32;
  private static final int TILE = ProductKernel.TILE;

  @Override
  public Experiment experiment() {
    return new Experiment(
        "banks",
        "Banks of shared memory",
        "What do conflicts between banks cost, and what do padding and swizzling save?",
        "Lanes load words at a stride of 1 to 32 from tiles of 32 x 32 words, plain, with a word more"
            + " in each row, or with columns exchanged by xor; the prediction divides the rate without"
            + " conflicts by the most words that a warp wants from one bank. Products of matrices of 32"
            + " columns keep nothing, one tile, or two in shared memory; the prediction counts the"
            + " 128-byte requests of a warp.",
        "NVIDIA, CUDA C++ Best Practices Guide, V100, 32 x 32 tiles: A B 119.9, 144.4 and 195.5 GB/s"
            + " without a tile, with one, with two; A times its transpose 12.8, 140.2 and 199.4 GB/s"
            + " without, with conflicts, padded.",
        "padding and swizzling of tiles");
  }

  /** Returns the most words that the lanes of a warp want from one bank. */
  static int conflicts(int stride, Layout layout) {
    int[] wanted = new int[BANKS];
    IntStream.range(0, BANKS)
        .map(lane -> layout.place(lane * stride))
        .distinct()
        .forEach(place -> wanted[place % BANKS]++);
    return IntStream.of(wanted).max().orElseThrow();
  }

  /** Returns the requests of a warp, of 128 bytes, for its 32 results of a product. */
  static int requests(Form form) {
    return switch (form) {
      case AB_WITHOUT_TILE -> 2 * TILE;
      case AB_TILE_OF_A -> 2 * TILE + 2;
      case AB_TILES, AAT_PADDED_TILES -> 2 * TILE + 4;
      case AAT_WITHOUT_TILE -> TILE + TILE * BANKS; // lanes are in 32 lines
      case AAT_TILES -> 2 * TILE + 3 + BANKS; // and one store of the tile in one bank
    };
  }

  @Override
  public FindingBuilder answer(Bench bench, DeviceRates rates) {
    List<Curve> strides = new ArrayList<>();
    for (Layout layout : Layout.values()) {
      strides.add(strides(bench, rates, layout));
    }
    List<Curve> products = new ArrayList<>();
    for (Form form : Form.values()) {
      products.add(product(bench, rates, form, products.size() + 1));
    }
    double[] figures = products.stream().mapToDouble(CurveBuilder::greatest).toArray();
    double conflict = CurveBuilder.slowest(strides.get(0)).y() / rates.shared();
    String meaning =
        FindingBuilder.text(
            "A stride of %d leaves %.3f of the rate of shared memory; padding makes a stride of %.0f the worst, with %.3f, and swizzling one of %.0f, with %.3f, so each suits the strides that it was made for; A times its transpose runs at %.0f GB/s without tiles, %.0f with conflicts and %.0f without.",
            BANKS,
            conflict,
            CurveBuilder.slowest(strides.get(1)).x(),
            CurveBuilder.slowest(strides.get(1)).y() / rates.shared(),
            CurveBuilder.slowest(strides.get(2)).x(),
            CurveBuilder.slowest(strides.get(2)).y() / rates.shared(),
            figures[3],
            figures[4],
            figures[5]);
    return new FindingBuilder(
        List.of(
            new SurveyChart(
                "strides",
                "Shared loads at a stride",
                new Axis("stride", "words", false),
                new Axis("loaded, all multiprocessors", "GB/s", false),
                strides,
                List.of(new Limit("shared memory without conflicts", rates.shared()))),
            new SurveyChart(
                "products",
                "Products of matrices of 32 columns",
                new Axis("number of the form", "", false),
                new Axis("factors read and result written once", "GB/s", false),
                products,
                List.of(new Limit("write only", rates.write())))),
        List.of(tileClaim(figures), paddingClaim(figures)),
        meaning);
  }

  private static Curve strides(Bench bench, DeviceRates rates, Layout layout) {
    CurveBuilder curve =
        new CurveBuilder(
            layout.name().toLowerCase(Locale.ROOT), "the loop's other instructions take time too");
    for (int stride : bench.effort().sweep(IntStream.rangeClosed(1, BANKS).toArray())) {
      Rates.RateRun run = Rates.measure(bench, Integer.BYTES, stride, layout);
      double predicted = rates.shared() / conflicts(stride, layout);
      curve.rate(stride, run.amount(), run.timing(), predicted);
    }
    return curve.build();
  }

  private static Curve product(Bench bench, DeviceRates rates, Form form, int number) {
    int log = 63 - Long.numberOfLeadingZeros(bench.effort().arrayWords());
    int side = 1 << (log / 2);
    ProductKernel kernel = new ProductKernel(form);
    int factor = side * TILE;
    BenchLaunch work =
        new BenchLaunch(
            kernel,
            side / TILE,
            side / TILE,
            bench
                .arguments()
                .set(KernelParameter.POSITIONS, side)
                .set(KernelParameter.SHIFT, factor));
    BenchLaunch firstRows = new BenchLaunch(kernel, side / TILE, 1, work.arguments());
    bench.check(firstRows, factor, word -> expected(form, word / side, word % side, side));
    double results = (double) side * side;
    double bytes = Float.BYTES * (results + (form.isTransposed() ? 1 : 2) * (double) factor);
    double nanos =
        Math.max(
            Float.BYTES * results / rates.write(),
            Math.max(
                results / BANKS * requests(form) * BANKS * Float.BYTES / rates.shared(),
                results * TILE / rates.instructions(Operation.F32_FMA)));
    CurveBuilder curve =
        new CurveBuilder(
            form.name().toLowerCase(Locale.ROOT).replace('_', ' '),
            "threads wait for each other at barriers, and for the first words");
    return curve.rate(number, bytes, bench.time(work), bytes / nanos).build();
  }

  private static int expected(Form form, int row, int column, int side) {
    float sum = 0;
    for (int i = 0; i < TILE; i++) {
      int other = form.isTransposed() ? column * TILE + i : side * TILE + i * side + column;
      sum = Math.fma(Bench.inputCell(row * TILE + i), Bench.inputCell(other), sum);
    }
    return Float.floatToRawIntBits(sum);
  }

  /** Judges tiles of A B: figures of the forms in their order. */
  static Claim tileClaim(double[] figures) {
    boolean rises = figures[0] < figures[1] && figures[1] < figures[2];
    boolean gains = figures[2] > figures[0];
    return new Claim(
        "For A B, one tile is faster than none, and two are faster than one: 119.9, 144.4, 195.5 GB/s (V100).",
        rises ? Verdict.YES : gains ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text("%.0f, %.0f and %.0f GB/s", figures[0], figures[1], figures[2]));
  }

  /** Judges tiles of A times its transpose: figures of the forms in their order. */
  static Claim paddingClaim(double[] figures) {
    double tiles = figures[4] / figures[3];
    double padding = figures[5] / figures[4];
    boolean both = tiles > 2 && padding > 1.1;
    return new Claim(
        "For A times its transpose, tiles are 11 times as fast as none, and padded tiles 1.4 times as fast as those (V100).",
        both ? Verdict.YES : tiles > 2 || padding > 1.1 ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text("%.1f times, and %.2f times by padding", tiles, padding));
  }
}
