/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.error.DeviceLostException;
import io.sparkstencil.grid.BlockArrays;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.FieldCell;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.HaloPart;
import io.sparkstencil.grid.PieceByPiece;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.grid.StrayCells;
import io.sparkstencil.kernels.ExhaustiveRun;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.testkit.programs.ProgramConformance;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import jcuda.driver.CUresult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks whose fields stay on an emulated device do what those on the heap do, bit for bit. */
final class DeviceBlockTest {
  private static final int CASES = 16;
  private static final BlockFields.HostRunner NOBODY =
      (arrays, parameters, steps) -> {
        throw new AssertionError("steps of fields on a device are taken there");
      };

  private final FakeGpu gpu = new FakeGpu();
  private final CudaDriver driver = gpu.driver();
  private GpuPrograms engine = open(Map.of());

  private GpuPrograms open(Map<String, String> options) {
    gpu.emulate();
    return ProgramChecks.open(driver, options, ProgramChecks.ALWAYS);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 6})
  void blocksHaveTheBitsOfTheWholeGrid(long seed) {
    ProgramConformance.requireReferenceResults(
        (program, arrays, parameters, steps) ->
            ProgramChecks.runInBlocks(engine, program, arrays, parameters, steps, seed),
        ExhaustiveRun.firstSeed() + seed,
        ExhaustiveRun.programs(CASES));
  }

  private record Pair(ExtendedBlock place, BlockFields onDevice, BlockFields onHeap) {
    void load(int field, Object cells) {
      load(field, place.own(), cells);
    }

    void load(int field, Box box, Object cells) {
      onDevice.load(field, box, cells);
      onHeap.load(field, box, cells);
    }
  }

  private List<Pair> pairs(StencilProgram program, ElementType type, FacePlan plan, Random random) {
    List<Pair> pairs = new ArrayList<>();
    for (int block = 0; block < plan.blocks().count(); block++) {
      ExtendedBlock place = plan.extended(block);
      Pair pair =
          new Pair(
              place,
              engine.hold(program, type, place, false).orElseThrow(),
              new BlockArrays(type, place, program.fields().size()));
      for (int field = 0; field < program.fields().size(); field++) {
        Object cells = type.newArray(place.own().cells());
        for (int i = 0; i < Array.getLength(cells); i++) {
          set(cells, i, random.nextGaussian());
        }
        pair.load(field, cells);
      }
      pairs.add(pair);
    }
    return pairs;
  }

  private static void set(Object cells, int index, double value) {
    if (cells instanceof float[] floats) {
      floats[index] = (float) value;
    } else {
      ((double[]) cells)[index] = value;
    }
  }

  private static Box inside(Box box, Random random) {
    List<Long> start = new ArrayList<>();
    List<Long> end = new ArrayList<>();
    for (int axis = 0; axis < box.dimensions(); axis++) {
      long first = box.start(axis) + random.nextInt(box.size(axis));
      start.add(first);
      end.add(first + 1 + random.nextInt((int) (box.end(axis) - first)));
    }
    return Box.between(start, end);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "u' = u[-2] + u[1]*k[0]; v' = v[0] + u' | 3001 | F32",
        "u' = u[-1,0] + u[0,2]*k[0,0]; v' = v[0,0] + u' | 61x73 | F64",
        "u' = u[-1,0] + u[0,2]*k[0,0]; v' = v[0,0] + u' | 50x40 | F32",
        "u' = u[-1,0,1] + u[0,2,0]*k[0,0,0]; v' = v[0,0,0] + u' | 17x19x23 | F32",
        "u' = u[-1,0,1] + u[0,2,0]*k[0,0,0]; v' = v[0,0,0] + u' | 13x11x9 | F64"
      })
  void facesAndBoxesAreThoseOfTheHeap(String text, String sizes, ElementType type) {
    StencilProgram program = ProgramText.parse(text).withBoundary(Boundary.WRAP);
    List<Long> cells = List.of(sizes.split("x")).stream().map(Long::valueOf).toList();
    StepReach reach = StepReach.of(program);
    Random random = new Random(7);
    int fields = program.fields().size();
    for (int blocks : new int[] {1, 2, 6}) {
      FacePlan plan = FacePlan.of(GridBlocks.cut(cells, blocks, reach), reach, 2, fields, type);
      List<Pair> pairs = pairs(program, type, plan, random);
      for (Pair pair : pairs) {
        pair.onDevice.fillOwnImages(0, fields);
        pair.onHeap.fillOwnImages(0, fields);
        for (int taker : plan.takers(pair.place.block())) {
          Pair other = pairs.get(taker);
          int first = random.nextInt(fields);
          int end = first + 1 + random.nextInt(fields - first);
          var face = pair.onDevice.pack(other.place, first, end);
          assertThat(face).isEqualTo(pair.onHeap.pack(other.place, first, end));
          other.onDevice.unpack(pair.place.block(), first, end, face.duplicate());
          other.onHeap.unpack(pair.place.block(), first, end, face);
          requirePiecesAreTheFace(pair, other, first, end);
        }
      }
      for (Pair pair : pairs) {
        for (int i = 0; i < 8; i++) {
          int field = random.nextInt(fields);
          Box box = inside(pair.place.own(), random);
          assertThat(pair.onDevice.cells(field, box)).isEqualTo(pair.onHeap.cells(field, box));
        }
        List<FieldCell> some =
            IntStream.range(0, 5)
                .mapToObj(i -> inside(pair.place.own(), random).origin())
                .map(position -> new FieldCell(1, pair.place.extended().index(position)))
                .collect(Collectors.toCollection(ArrayList::new));
        some.add(some.get(2)); // two values for one cell
        double[] values = some.stream().mapToDouble(each -> random.nextGaussian()).toArray();
        pair.onDevice.add(some, values);
        pair.onHeap.add(some, values);
        assertThat(pair.onDevice.values(some)).isEqualTo(pair.onHeap.values(some));
        pair.onDevice.close();
      }
    }
  }

  /** Takes a face piece by piece from memory of the other kind, where whole faces are. */
  private static void requirePiecesAreTheFace(Pair pair, Pair other, int first, int end) {
    List<HaloPart> parts = other.place.partsOf(pair.place.block());
    List<Object> expected = cells(other.onHeap, parts, first, end);
    for (HaloPart part : parts) {
      Object zeros = other.onHeap.cells(first, part.to());
      for (int i = 0; i < Array.getLength(zeros); i++) {
        set(zeros, i, 0);
      }
      for (int field = first; field < end; field++) {
        other.load(field, part.to(), zeros);
      }
    }
    PieceByPiece.take(pair.onHeap, other.onDevice, first, end, 0, 50);
    PieceByPiece.take(pair.onDevice, other.onHeap, first, end, 0, 50);
    assertThat(cells(other.onDevice, parts, first, end))
        .usingRecursiveComparison()
        .isEqualTo(expected);
    assertThat(cells(other.onHeap, parts, first, end))
        .usingRecursiveComparison()
        .isEqualTo(expected);
  }

  private static List<Object> cells(BlockFields fields, List<HaloPart> parts, int first, int end) {
    return IntStream.range(first, end)
        .boxed()
        .flatMap(field -> parts.stream().map(part -> fields.cells(field, part.to())))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "3001, F32, 1e30",
    "20001, F64, 5",
    "61x73, F64, 1e150",
    "17x19x23, F32, 2.5",
    "9x2x700, F64, 3"
  })
  void strayCellsAreThoseOfTheHeap(String sizes, ElementType type, double largest) {
    List<Long> cells = List.of(sizes.split("x")).stream().map(Long::valueOf).toList();
    String here = Collections.nCopies(cells.size(), 0).toString();
    StencilProgram program = ProgramText.parse("u' = u%1$s + k%1$s".formatted(here), cells.size());
    StepReach reach = StepReach.of(program);
    double bound = StrayCells.bound(type, largest);
    Random random = new Random(9);
    double[] strays = {Double.NaN, Double.POSITIVE_INFINITY, -1e32, 7.25, -largest};
    FacePlan plan = FacePlan.of(GridBlocks.cut(cells, 3, reach), reach, 2, 2, type);
    for (Pair pair : pairs(program, type, plan, random)) {
      Object u = pair.onHeap.cells(0, pair.place.own());
      assertThat(pair.onDevice.strays(0, bound)).isEqualTo(pair.onHeap.strays(0, bound));
      for (double stray : strays) {
        set(u, random.nextInt(pair.place.own().cells()), stray);
        pair.load(0, u);
        assertThat(pair.onDevice.strays(0, bound)).isEqualTo(pair.onHeap.strays(0, bound));
      }
      assertThat(pair.onDevice.strays(0, bound)).as("with NaN among them").isNotZero();
      assertThat(pair.onDevice.strays(1, 1e10)).isZero();
      pair.onDevice.close();
    }
  }

  private static ExtendedBlock whole(StencilProgram program, long... sizes) {
    StepReach reach = StepReach.of(program);
    List<Long> cells = IntStream.range(0, sizes.length).mapToObj(i -> sizes[i]).toList();
    return ExtendedBlock.of(GridBlocks.cut(cells, 1, reach), reach, 1, 0);
  }

  @Test
  void blocksTakeNoMoreMemoryThanTheyMay() {
    engine.close();
    engine = open(Map.of(GpuOptions.GRID_BYTES.key(), "300000"));
    StencilProgram program = ProgramText.parse("u' = u[-1,0] + u[0,1]");
    ExtendedBlock place = whole(program, 100, 150); // 154 kB in two arrays with aligned rows

    BlockFields first = engine.hold(program, ElementType.F32, place, false).orElseThrow();
    assertThat(first.deviceBytes()).isBetween(120_000L, 300_000L);
    assertThat(first.heapBytes()).isZero();
    assertThat(engine.hold(program, ElementType.F32, place, false)).isEmpty();
    assertThat(engine.hold(program, ElementType.F32, whole(program, 1000, 150), false)).isEmpty();
    first.close();
    BlockFields second = engine.hold(program, ElementType.F32, place, false).orElseThrow();
    second.close();
    assertThat(gpu.calls("memFree")).as("what blocks had is given to others").isPositive();
  }

  @Test
  void aDeviceThatIsFullHoldsNoBlock() {
    StencilProgram program = ProgramText.parse("u' = u[-1,0] + u[0,1]");
    gpu.fail("memAlloc", CUresult.CUDA_ERROR_OUT_OF_MEMORY);
    assertThat(engine.hold(program, ElementType.F32, whole(program, 100, 150), false)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"launchKernel", "memcpy3DAsync", "memcpyDtoHAsync"})
  void aLostDeviceIsReportedAndTheBlockCloses(String call) {
    StencilProgram program = ProgramText.parse("u' = u[-1,0] + u[0,1]");
    ExtendedBlock place = whole(program, 20, 30);
    BlockFields fields = engine.hold(program, ElementType.F32, place, false).orElseThrow();
    fields.load(0, new float[600]);
    gpu.fail(call, CUresult.CUDA_ERROR_ILLEGAL_ADDRESS);

    assertThatThrownBy(
            () -> {
              fields.step(ParameterValues.NONE, 3, NOBODY);
              fields.cells(0, place.own());
            })
        .isInstanceOf(DeviceLostException.class);
    fields.close();
    assertThatThrownBy(() -> engine.hold(program, ElementType.F32, place, false))
        .isInstanceOf(DeviceLostException.class);
  }
}
