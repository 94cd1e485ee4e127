/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.BlockArrays;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.text.ProgramText;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks give their memory back once, when nobody works on them any more. */
@Timeout(30)
final class BlockRegistryTest {
  private static final BlockKey KEY = new BlockKey("grid", 1, 0);

  private final BlockRegistry registry = new BlockRegistry();

  private record Mark(AtomicBoolean there) implements BlockMark {
    Mark() {
      this(new AtomicBoolean(true));
    }

    @Override
    public int number() {
      return 0;
    }

    @Override
    public boolean isThere() {
      return there.get();
    }

    @Override
    public void remove() {
      there.set(false);
    }
  }

  @AfterEach
  void close() {
    registry.close(0);
  }

  private static BlockArrays cells() {
    StepReach reach = StepReach.of(ProgramText.parse("u' = u[-1]"));
    ExtendedBlock place = ExtendedBlock.of(GridBlocks.cut(List.of(10L), 1, reach), reach, 1, 0);
    return new BlockArrays(ElementType.F64, place, 1);
  }

  @Test
  void aBlockWithoutMarkIsDroppedWhenItsTaskEnds() throws InterruptedException {
    Mark mark = new Mark();
    HeldBlock held = registry.lock(KEY, () -> mark);
    held.load(cells(), 3);
    assertThat(registry.heapBytes()).isEqualTo(80);

    mark.remove();
    while (registry.count() > 0) {
      Thread.sleep(10);
    }

    assertThat(held.isEmpty()).as("while a task works on it").isFalse();
    held.unlock();
    assertThat(held.isEmpty()).isTrue();
    assertThat(held.heapBytes()).isZero();
  }

  @Test
  void aTaskThatWaitsForABlockThatIsGivenUpGetsAnother() throws Exception {
    HeldBlock first = registry.lock(KEY, Mark::new);
    HeldBlock[] second = new HeldBlock[1];
    Thread waiting =
        new Thread(
            () -> {
              try {
                second[0] = registry.lock(KEY, Mark::new);
                second[0].unlock();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    waiting.start();
    while (waiting.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    first.wanted().remove();
    while (registry.count() > 0) {
      Thread.sleep(10);
    }
    first.unlock();
    waiting.join();

    assertThat(second[0]).isNotSameAs(first);
    HeldBlock now = registry.lock(KEY, Mark::new);
    assertThat(now).isSameAs(second[0]);
    now.unlock();
  }

  @Test
  void nobodyGetsABlockFromAClosedRegistry() throws InterruptedException {
    HeldBlock held = registry.lock(KEY, Mark::new);
    held.load(cells(), 0);
    registry.close(0);
    held.unlock();

    assertThat(held.isEmpty()).isTrue();
    assertThatThrownBy(() -> registry.lock(KEY, Mark::new))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("shut down");
  }
}
