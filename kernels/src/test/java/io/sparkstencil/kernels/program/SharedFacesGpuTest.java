/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.testkit.LeakCheck;
import io.sparkstencil.testkit.RequiresGpu;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Blocks of two processes, on two GPUs if there are two, read each other's faces in device memory,
 * and never believe what is not there, whatever becomes of the other process.
 */
@RequiresGpu
@Timeout(120)
final class SharedFacesGpuTest {
  @RegisterExtension
  final LeakCheck leaks =
      new LeakCheck().watch("handles", () -> CudaDriver.get().liveHandles().size());

  private static GpuPrograms open(boolean first) {
    List<CudaDevice> devices = CudaDriver.get().devices();
    CudaDevice device = devices.get(first ? 0 : devices.size() - 1);
    GpuPrograms engine = GpuPrograms.open(CudaDriver.get(), device, Map.of(), ProgramChecks.ALWAYS);
    engine.device().poison();
    return engine;
  }

  /** The other process: it has block 0 of a grid of two, and shares its face with block 1. */
  private static final class Owner implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final PrintStream in;

    Owner(String sizes) throws IOException {
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      process =
          new ProcessBuilder(
                  java,
                  "--add-modules=jdk.incubator.vector",
                  "-cp",
                  System.getProperty("java.class.path"),
                  SharedFacesGpuTest.OwnerProcess.class.getName(),
                  sizes)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** Has cells at random be put as those of a state; returns the ticket. */
    byte[] put(int state) throws IOException {
      in.println(state);
      return HexFormat.of().parseHex(answer());
    }

    /** Has cells at random be put as those of a state, and kept; returns where earlier ones are. */
    List<byte[]> keep(int state) throws IOException {
      in.println("keep " + state);
      List<byte[]> tickets = new ArrayList<>();
      for (String ticket : answer().split(" ")) {
        tickets.add(HexFormat.of().parseHex(ticket));
      }
      return tickets;
    }

    String answer() throws IOException {
      String line = out.readLine();
      while (line != null && !line.startsWith("> ")) {
        line = out.readLine();
      }
      assertThat(line).as("the answer of the other process").isNotNull();
      return line.substring(2);
    }

    void end() throws InterruptedException {
      in.close();
      assertThat(process.waitFor()).isZero();
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join(); // signal 9
    }
  }

  /** Answers each number on its input by the ticket of a face with the cells of that state. */
  static final class OwnerProcess {
    private OwnerProcess() {}

    /** Runs until the input ends. */
    public static void main(String[] args) throws IOException {
      FacePlan plan = FaceBlocks.plan(args[0], 2);
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      try (GpuPrograms engine = open(true);
          BlockFields fields = FaceBlocks.on(engine, plan, 0, new Random(0))) {
        SharedFace face = fields.share(plan.extended(1), 2, 2).orElseThrow();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          boolean keeps = line.startsWith("keep ");
          int state = Integer.parseInt(line.substring(keeps ? "keep ".length() : 0));
          FaceBlocks.load(fields, new Random(state));
          face.put(state, keeps);
          String kept =
              face.kept().stream()
                  .map(each -> HexFormat.of().formatHex(each.ticket()))
                  .collect(Collectors.joining(" "));
          System.out.println("> " + (keeps ? kept : HexFormat.of().formatHex(face.ticket())));
        }
      }
    }
  }

  /** Block 1 in this process, and what it must have after a step. */
  private static List<Object> steppedAfterTaking(
      GpuPrograms engine, FacePlan plan, byte[] ticket, int state) {
    try (BlockFields fields = FaceBlocks.on(engine, plan, 1, new Random(1))) {
      fields.fillOwnImages(0, 2);
      if (!fields.takeShared(ticket, 0, 2, state)) {
        return List.of();
      }
      return FaceBlocks.stepped(fields);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1000003", "1201x901", "64x30000", "90x130x110", "16x24x2048"})
  void facesOfAnotherProcessHaveItsBits(String sizes) throws Exception {
    FacePlan plan = FaceBlocks.plan(sizes, 2);
    try (GpuPrograms engine = open(false);
        Owner owner = new Owner(sizes)) {
      byte[] ticket = owner.put(0);
      assertThat(steppedAfterTaking(engine, plan, ticket, 0))
          .isEqualTo(FaceBlocks.expected(plan, 0));
      assertThat(steppedAfterTaking(engine, plan, ticket, 1)).isEmpty();
      assertThat(owner.put(1)).isEqualTo(ticket);
      owner.put(2);
      assertThat(steppedAfterTaking(engine, plan, ticket, 0)).as("overwritten").isEmpty();
      for (int state = 1; state <= 2; state++) {
        assertThat(steppedAfterTaking(engine, plan, ticket, state))
            .isEqualTo(FaceBlocks.expected(plan, state));
      }
      owner.end();
      assertThat(steppedAfterTaking(engine, plan, ticket, 2)).as("given back").isEmpty();
    }
  }

  /** Blocks that come back read states that have long left their slots. */
  @ParameterizedTest
  @ValueSource(strings = {"1201x901", "90x130x110"})
  void statesThatAnotherProcessKeepsHaveItsBits(String sizes) throws Exception {
    FacePlan plan = FaceBlocks.plan(sizes, 2);
    try (GpuPrograms engine = open(false);
        Owner owner = new Owner(sizes)) {
      List<byte[]> tickets = List.of();
      for (int state = 0; state <= 40; state++) {
        tickets = owner.keep(state);
      }
      for (int state : List.of(0, 7, 8, 31, 38)) {
        List<List<Object>> found = new ArrayList<>();
        for (byte[] ticket : tickets) {
          List<Object> stepped = steppedAfterTaking(engine, plan, ticket, state);
          if (!stepped.isEmpty()) {
            found.add(stepped);
          }
        }
        assertThat(found).as("state %d", state).containsExactly(FaceBlocks.expected(plan, state));
      }
    }
  }

  /** The owner changes its face as fast as it can; each that is taken has the bits of its state. */
  @Test
  void facesThatChangeAreTakenWholeOrNotAtAll() throws Exception {
    FacePlan plan = FaceBlocks.plan("2048x2048", 2);
    List<List<Object>> expected = new ArrayList<>();
    for (int state = 0; state < 6; state++) {
      expected.add(FaceBlocks.expected(plan, state));
    }
    try (GpuPrograms engine = open(false);
        Owner owner = new Owner("2048x2048")) {
      byte[] ticket = owner.put(0);
      int taken = 0;
      for (int state = 0; state < 5; state++) {
        owner.in.println(state + 1); // answered later
        for (int i = 0; i < 20; i++) {
          for (int wanted = Math.max(0, state - 1); wanted <= state + 1; wanted++) {
            List<Object> found = steppedAfterTaking(engine, plan, ticket, wanted);
            if (!found.isEmpty()) {
              taken++;
              assertThat(found).isEqualTo(expected.get(wanted));
            }
          }
        }
        owner.answer();
      }
      assertThat(taken).isPositive();
    }
  }

  @Test
  void theDeathOfTheOwnerHarmsNobody() throws Exception {
    FacePlan plan = FaceBlocks.plan("1201x901", 2);
    List<Object> expected = FaceBlocks.expected(plan, 1);
    try (GpuPrograms engine = open(false);
        BlockFields fields = FaceBlocks.on(engine, plan, 1, new Random(1))) {
      byte[] ticket;
      try (Owner owner = new Owner("1201x901")) {
        owner.put(0);
        ticket = owner.put(1);
        assertThat(fields.takeShared(ticket, 0, 2, 1)).isTrue();
      }
      System.out.println(
          "mapped memory of a process that was killed: "
              + (fields.takeShared(ticket, 0, 2, 1) ? "still there" : "gone"));
      assertThat(fields.takeShared(ticket, 0, 2, 3)).isFalse();
      List<Object> late = steppedAfterTaking(engine, plan, ticket, 1);
      if (!late.isEmpty()) { // then it must be right
        assertThat(late).isEqualTo(expected);
      }
      try (Owner next = new Owner("1201x901")) {
        assertThat(steppedAfterTaking(engine, plan, next.put(1), 1)).isEqualTo(expected);
      }
      ExtendedBlock other = plan.extended(0);
      assertThat(fields.pack(other, 0, 2)).as("the context goes on").isNotNull();
    }
    try (GpuPrograms engine = open(false)) { // nothing is mapped any more
      byte[] ticket;
      try (Owner owner = new Owner("1201x901")) {
        ticket = owner.put(0);
      }
      try (BlockFields fields = FaceBlocks.on(engine, plan, 1, new Random(1))) {
        assertThat(fields.takeShared(ticket, 0, 2, 0)).as("never mapped before").isFalse();
        assertThat(fields.cells(0, plan.extended(1).own())).isNotNull();
      }
    }
  }
}
