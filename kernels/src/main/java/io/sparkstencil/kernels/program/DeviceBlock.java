/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.CudaEvent;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellBoxes;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FaceBuffer;
import io.sparkstencil.grid.FaceKeeper;
import io.sparkstencil.grid.FacePath;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.FieldCell;
import io.sparkstencil.grid.HaloPart;
import io.sparkstencil.grid.PieceByPiece;
import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.kernels.program.plan.Stored;
import io.sparkstencil.kernels.program.watch.StraySums;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.PlacedProgram;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The fields of a block in device memory, where they stay. Only what is asked for crosses the link:
 * faces, and cells of the block. Neighbours on the same device read its cells where they are.
 */
final class DeviceBlock implements BlockFields {
  private static final System.Logger LOG = System.getLogger(DeviceBlock.class.getName());

  private final ProgramDevice device;
  private final PlacedProgram placed;
  private final ElementType type;
  private final ExtendedBlock place;
  private final DeviceProgram program;
  private final DeviceFaces faces;
  private final StraySums strays;
  private CudaEvent stepped; // null before the first step

  /**
   * Takes a program whose fields are those of a block.
   *
   * @param program made for the extended box, and closed with this
   */
  DeviceBlock(
      ProgramDevice device,
      PlacedProgram placed,
      ElementType type,
      ExtendedBlock place,
      DeviceProgram program) {
    this.device = device;
    this.placed = placed;
    this.type = type;
    this.place = place;
    this.program = program;
    this.faces = new DeviceFaces(device, type, place, program);
    this.strays = device.straySums(program.stream());
  }

  @Override
  public ExtendedBlock place() {
    return place;
  }

  @Override
  public String engine() {
    return Engines.GPU;
  }

  @Override
  public long heapBytes() {
    return 0;
  }

  @Override
  public long deviceBytes() {
    return program.memoryBytes();
  }

  private CudaStream stream() {
    return program.stream();
  }

  private BoxCopies copies(Object host, long cells) {
    return new BoxCopies(device, stream(), type, place.extended(), host, cells * type.bytes());
  }

  @Override
  public synchronized void load(int field, Box box, Object cells) {
    try (BoxCopies copies = copies(cells, box.cells())) {
      copies.copyIn(program.current(field), box);
      copies.submit();
    }
    // other blocks may read these cells next, in streams of their own
    stream().synchronize();
  }

  @Override
  public synchronized Object cells(int field, Box box) {
    Object cells = type.newArray(box.cells());
    try (BoxCopies copies = copies(cells, box.cells())) {
      copies.copyOut(program.current(field), box);
      copies.finish();
    }
    return cells;
  }

  @Override
  public synchronized long strays(int field, double bound) {
    Stored cells = program.current(field);
    Box all = place.extended();
    return strays.of(
        BoxCopies.strays(type, bound, cells, all, place.own()),
        BoxCopies.address(cells, all, place.own()));
  }

  @Override
  public synchronized void fillOwnImages(int first, int end) {
    takeHere(this, first, end);
  }

  @Override
  public synchronized ByteBuffer pack(ExtendedBlock taker, int first, int end) {
    List<HaloPart> parts = taker.partsOf(place.block());
    long cells = FacePlan.cells(parts) * (end - first);
    ByteBuffer packed = CellBoxes.buffer(Math.toIntExact(cells * type.bytes()));
    try (BoxCopies copies = copies(packed, cells)) {
      for (HaloPart part : parts) {
        for (int field = first; field < end; field++) {
          copies.copyOut(program.current(field), part.from());
        }
      }
      copies.finish();
    }
    return packed;
  }

  @Override
  public synchronized void unpack(int giver, int first, int end, ByteBuffer packed) {
    List<HaloPart> parts = place.partsOf(giver);
    try (BoxCopies copies = copies(packed.slice(), FacePlan.cells(parts) * (end - first))) {
      for (HaloPart part : parts) {
        for (int field = first; field < end; field++) {
          copies.copyIn(program.current(field), part.to());
        }
      }
      copies.submit();
    }
  }

  @Override
  public Optional<FaceBuffer> lendFace(int bytes) {
    try {
      return device.faces().tryLease(bytes).map(lease -> new PinnedFace(device, lease, bytes));
    } catch (StencilException | IllegalStateException e) { // the device is lost, or closed
      return Optional.empty();
    }
  }

  @Override
  public Optional<FaceKeeper> keeper(ExtendedBlock taker, int count) {
    return Optional.of(faces.keeper(taker, count));
  }

  @Override
  public synchronized void pack(ExtendedBlock taker, int first, int end, FaceBuffer packed) {
    List<HaloPart> parts = taker.partsOf(place.block());
    if (!(packed instanceof PinnedFace face && faces.copyOut(parts, first, end, face))) {
      BlockFields.super.pack(taker, first, end, packed);
    }
  }

  @Override
  public synchronized void unpack(int giver, int first, int end, FaceBuffer packed) {
    List<HaloPart> parts = place.partsOf(giver);
    if (!(packed instanceof PinnedFace face && faces.copyIn(parts, first, end, face))) {
      BlockFields.super.unpack(giver, first, end, packed);
    }
  }

  @Override
  public FacePath take(BlockFields giver, int first, int end) {
    FacePath path = FacePath.HEAP;
    if (giver instanceof DeviceBlock there && there.device == device) {
      takeHere(there, first, end);
      path = FacePath.DEVICE;
    } else if (giver instanceof DeviceBlock there && faces.takeFrom(there.faces, first, end)) {
      path = FacePath.PEER;
    } else {
      PieceByPiece.take(giver, this, first, end);
    }
    stream().synchronize();
    return path;
  }

  @Override
  public Optional<SharedFace> share(ExtendedBlock taker, int count, int slots) {
    return faces.share(taker, count, slots);
  }

  @Override
  public boolean takeShared(byte[] ticket, int giver, int count, int state) {
    return faces.takeShared(ticket, giver, count, state);
  }

  private synchronized void takeHere(DeviceBlock there, int first, int end) {
    for (HaloPart part : place.partsOf(there.place.block())) {
      Box shifted = there.place.extended().shifted(part.shift());
      for (int field = first; field < end; field++) {
        BoxCopies.copy(
            stream(),
            there.program.current(field),
            shifted,
            program.current(field),
            place.extended(),
            part.to());
      }
    }
  }

  @Override
  public void step(ParameterValues parameters, int steps, HostRunner host) {
    program.step(placed.parameters(parameters), 0, steps);
    if (stepped == null) {
      stepped = device.context().newMarker();
    }
    stepped.record(stream());
    stepped.synchronize(); // unlike the stream's, it leaves the core to others while it waits
  }

  @Override
  public synchronized double[] values(List<FieldCell> cells) {
    Object there = gather(cells);
    double[] values = new double[cells.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = ((Number) Array.get(there, i)).doubleValue();
    }
    return values;
  }

  @Override
  public synchronized void add(List<FieldCell> cells, double[] values) {
    List<FieldCell> distinct = cells.stream().distinct().toList();
    Object there = gather(distinct);
    for (int i = 0; i < values.length; i++) {
      int at = distinct.indexOf(cells.get(i));
      if (there instanceof float[] floats) {
        floats[at] += (float) values[i];
      } else {
        ((double[]) there)[at] += values[i];
      }
    }
    try (CellMemory memory = new CellMemory(distinct.size())) {
      memory.copies.copyIn(
          there, 0, 1, distinct.size(), memory.address, (long) distinct.size() * type.bytes());
      for (int i = 0; i < distinct.size(); i++) {
        stream().copy(memory.at(i), type.bytes(), address(distinct.get(i)));
      }
    }
  }

  /** Returns some cells in an array. */
  private Object gather(List<FieldCell> cells) {
    Object there = type.newArray(cells.size());
    try (CellMemory memory = new CellMemory(cells.size())) {
      for (int i = 0; i < cells.size(); i++) {
        stream().copy(address(cells.get(i)), type.bytes(), memory.at(i));
      }
      memory.copies.copyOut(
          memory.address, (long) cells.size() * type.bytes(), 1, cells.size(), there, 0);
      memory.copies.finish();
    }
    return there;
  }

  private long address(FieldCell cell) {
    Stored field = program.current(cell.field());
    long rowCells = program.layout().rowCells();
    long row = cell.index() / rowCells; // planes follow one another without gaps
    return field.address() + row * field.row() + cell.index() % rowCells * type.bytes();
  }

  /** Device memory for some cells one after the other, and what copies them. */
  private final class CellMemory implements AutoCloseable {
    private final CloseScope owned = new CloseScope();
    private final long address;
    private final HostCopies copies;

    CellMemory(int cells) {
      long bytes = (long) cells * type.bytes();
      try {
        BufferLease<DeviceBuffer> lease = owned.add(device.lease(bytes, stream()));
        address = lease.buffer().address();
        copies = owned.add(new HostCopies(device, stream(), type, bytes));
      } catch (RuntimeException e) {
        throw owned.closeAfter(e);
      }
    }

    long at(int cell) {
      return address + (long) cell * type.bytes();
    }

    @Override
    public void close() {
      try {
        stream().synchronize();
      } finally {
        owned.close();
      }
    }
  }

  @Override
  public void close() {
    try {
      if (stepped != null) {
        stepped.close();
      }
      faces.close();
      strays.close();
      program.close();
      device.freeIdleBlocks();
    } catch (RuntimeException e) { // a device that is lost has given everything up
      LOG.log(System.Logger.Level.DEBUG, "a block on a lost device: {0}", e.getMessage());
    }
  }
}
