// SPDX-License-Identifier: Apache-2.0
// Soft bodies in JavaScript: limber's run-time library, compiled to WebAssembly. Works in Node, in a page and in
// a worker; needs no SharedArrayBuffer. Types and documentation: limber.d.ts.

/** What limber says about input that it cannot take. */
export class LimberError extends Error {
  constructor({ where, problem, try_this: tryThis }) {
    super(`${where}: ${problem}${tryThis ? ` (try: ${tryThis})` : ''}`);
    this.name = 'LimberError';
    this.where = where;
    this.problem = problem;
    this.tryThis = tryThis;
  }
}

// The few system calls that the C library may make: no files, no environment.
function systemCalls(memory) {
  const kBadFile = 8, kNotSupported = 58;
  return {
    clock_time_get: (_clock, _precision, out) => {
      const nanoseconds = BigInt(Math.round(performance.now() * 1e6));
      new DataView(memory().buffer).setBigUint64(out, nanoseconds, true);
      return 0;
    },
    fd_close: () => kBadFile,
    fd_fdstat_get: () => kBadFile,
    fd_seek: () => kBadFile,
    fd_write: () => kBadFile,
    environ_get: () => kNotSupported,
    environ_sizes_get: () => kNotSupported,
    proc_exit: (code) => {
      throw new Error(`limber ended with code ${code}`);
    },
  };
}

/** Instantiates the module from its bytes, a compiled module, or a response that brings it. */
export async function loadLimber(source) {
  let exports = null;
  const imports = { wasi_snapshot_preview1: systemCalls(() => exports.memory) };
  const bytes = typeof Response !== 'undefined' && source instanceof Response ? await source.arrayBuffer() : source;
  const made = await WebAssembly.instantiate(bytes, imports);
  exports = (made.instance ?? made).exports;
  exports._initialize();
  return new Limber(exports);
}

class Limber {
  #exports;
  constructor(exports) {
    this.#exports = exports;
  }

  /** Every setting: name, kind, unit, range, default, words, a sentence; by the name of its struct. */
  get fields() {
    return JSON.parse(new Memory(this.#exports).text(this.#exports.limber_fields()));
  }

  /** Reads the bytes of a model.glb. */
  loadModel(bytes) {
    const view = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
    const memory = new Memory(this.#exports);
    const handle = memory.withBytes(view, (at) => this.#exports.limber_load(at, view.length));
    if (!handle) throw memory.error();
    return new Model(memory, handle);
  }
}

// The module's memory. It may move when it grows, so no view is kept.
class Memory {
  constructor(exports) {
    this.exports = exports;
  }
  view(Type, at, length) {
    return new Type(this.exports.memory.buffer, at, length);
  }
  text(at) {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    return new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }
  error() {
    return new LimberError(JSON.parse(this.text(this.exports.limber_error())));
  }
  withMemory(bytes, use) {
    const at = this.exports.limber_alloc(Math.max(bytes, 1));
    if (!at) throw new LimberError({ where: 'memory', problem: `${bytes} bytes are not to be had`, try_this: '' });
    try {
      return use(at);
    } finally {
      this.exports.limber_free(at);
    }
  }
  withBytes(bytes, use) {
    return this.withMemory(bytes.length, (at) => {
      this.view(Uint8Array, at, bytes.length).set(bytes);
      return use(at);
    });
  }
  withJson(value, use) {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return this.withBytes(bytes, (at) => use(at, bytes.length));
  }
  withNumbers(numbers, use) {
    return this.withMemory(8 * numbers.length, (at) => {
      this.view(Float64Array, at, numbers.length).set(numbers);
      return use(at);
    });
  }
  // A copy of `length` numbers that fill(at) writes.
  filled(Type, length, fill) {
    return this.withMemory(Type.BYTES_PER_ELEMENT * length, (at) => {
      fill(at);
      return this.view(Type, at, length).slice();
    });
  }
}

function numbersOf(list, count, where) {
  if (list.length !== count)
    throw new LimberError({ where, problem: `${list.length} numbers were given; ${count} are needed`, try_this: '' });
  return list;
}

class Model {
  #memory;
  #handle;
  constructor(memory, handle) {
    this.#memory = memory;
    this.#handle = handle;
    /** What the model is: rank, groups, counts, frequencies. */
    this.info = Object.freeze(JSON.parse(memory.text(memory.exports.limber_model_json(handle))));
  }
  get rank() {
    return this.info.rank;
  }

  restPositions() {
    return this.#memory.filled(Float32Array, 3 * this.info.vertices, (at) =>
      this.#memory.exports.limber_model_positions(this.#alive(), at));
  }
  triangles() {
    return this.#memory.filled(Int32Array, 3 * this.info.triangles, (at) =>
      this.#memory.exports.limber_model_triangles(this.#alive(), at));
  }
  surfaceBasis() {
    return this.#memory.filled(Float32Array, 3 * this.info.vertices * this.rank, (at) =>
      this.#memory.exports.limber_model_basis(this.#alive(), at));
  }

  restNormals() {
    return this.#memory.filled(Float32Array, 3 * this.info.vertices, (at) =>
      this.#memory.exports.limber_model_normals(this.#alive(), at));
  }
  inputVertices() {
    return this.#memory.filled(Int32Array, this.info.vertices, (at) =>
      this.#memory.exports.limber_model_input_vertices(this.#alive(), at));
  }
  warpModes() {
    return this.#memory.filled(Float32Array, 3 * this.info.vertices * this.info.warp_modes, (at) =>
      this.#memory.exports.limber_model_warp_modes(this.#alive(), at));
  }
  warpRotations() {
    return this.#memory.filled(Float32Array, 3 * this.info.vertices * this.info.warp_modes, (at) =>
      this.#memory.exports.limber_model_warp_rotations(this.#alive(), at));
  }
  warpCompanions() {
    return this.#memory.filled(Float32Array, 3 * this.info.vertices * this.info.warp_companions, (at) =>
      this.#memory.exports.limber_model_warp_companions(this.#alive(), at));
  }
  simulationMesh() {
    const exports = this.#memory.exports;
    const handle = this.#alive();
    const [vertices, edges, fixed] = this.#memory.filled(Int32Array, 3, (at) => exports.limber_volume_counts(handle, at));
    return {
      edges: this.#memory.view(Int32Array, exports.limber_volume_edges(), 2 * edges).slice(),
      positions: this.#memory.filled(Float32Array, 3 * vertices, (at) => exports.limber_volume_positions(handle, at)),
      fixedVertices: this.#memory.filled(Int32Array, fixed, (at) => exports.limber_volume_fixed(handle, at)),
      basis: this.#memory.filled(Float32Array, 3 * vertices * this.rank, (at) => exports.limber_volume_basis(handle, at)),
    };
  }

  createWarpBody(settings = {}) {
    const handle = this.#memory.withJson(settings, (at, size) =>
      this.#memory.exports.limber_warp_create(this.#alive(), at, size));
    if (!handle) throw this.#memory.error();
    return new WarpBody(this.#memory, handle, this.info);
  }
  createBody(settings = {}) {
    const handle = this.#memory.withJson(settings, (at, size) =>
      this.#memory.exports.limber_body_create(this.#alive(), at, size));
    if (!handle) throw this.#memory.error();
    return new Body(this.#memory, handle, this.info);
  }

  /** Gives the memory back; bodies made of it live on. */
  destroy() {
    if (this.#handle) this.#memory.exports.limber_model_destroy(this.#handle);
    this.#handle = 0;
  }
  #alive() {
    if (!this.#handle) throw new Error('the model was destroyed');
    return this.#handle;
  }
}

// What bodies of both kinds do alike; their exports are named limber_KIND_….
class AnyBody {
  #kind;
  #handle;
  constructor(kind, memory, handle, info) {
    this.#kind = kind;
    this.#handle = handle;
    this._memory = memory;
    this._info = info;
  }

  clone() {
    return new this.constructor(this._memory, this._call('clone'), this._info);
  }
  destroy() {
    if (this.#handle) this._call('destroy');
    this.#handle = 0;
  }

  get settings() {
    return JSON.parse(this._memory.text(this._call('settings')));
  }
  set(settings) {
    this._tell('set', settings);
  }
  setFrame(frame) {
    this._tell('set_frame', frame);
  }

  step(dt, count = 1) {
    let steps = 0;
    const numbers = this._memory.filled(Float64Array, 6, (at) => {
      steps = this._call('step', dt, count, at);
    });
    const [converged, problem, iterations, residual, shifts, lineSearches] = numbers;
    return { steps, converged: converged === 1, problem: this._memory.text(this._memory.exports.limber_problem_word(problem)), iterations, residual, shifts, lineSearches };
  }

  clearForces() {
    this._call('clear_forces');
  }
  addForce(vertex, [x, y, z]) {
    this._check(this._call('add_force', vertex, x, y, z));
  }

  get kineticEnergy() {
    return this._call('kinetic_energy');
  }
  get elasticEnergy() {
    return this._call('elastic_energy');
  }

  surfaceDisplacement() {
    return this._memory.view(Float32Array, this._call('displacement'), 3 * this._info.vertices).slice();
  }
  surfaceNormals() {
    return this._memory.view(Float32Array, this._call('normals'), 3 * this._info.vertices).slice();
  }

  _call(name, ...rest) {
    if (!this.#handle) throw new Error('the body was destroyed');
    return this._memory.exports[`limber_${this.#kind}_${name}`](this.#handle, ...rest);
  }
  _tell(name, value) {
    this._check(this._memory.withJson(value, (at, size) => this._call(name, at, size)));
  }
  // The time, the named lists of `count` numbers each, then the named numbers.
  _state(count, lists, numbers = []) {
    const size = 1 + lists.length * count;
    const all = this._memory.filled(Float64Array, size + numbers.length, (at) => this._call('state', at));
    return {
      time: all[0],
      ...Object.fromEntries(lists.map((name, i) => [name, all.slice(1 + i * count, 1 + (i + 1) * count)])),
      ...Object.fromEntries(numbers.map((name, i) => [name, all[size + i]])),
    };
  }
  _setState(count, lists, state, single = []) {
    const zeros = new Float64Array(count);
    const numbers = [state.time ?? 0];
    for (const name of lists) numbers.push(...numbersOf(state[name] ?? zeros, count, `state ${name}`));
    for (const name of single) numbers.push(state[name] ?? 0);
    this._check(this._memory.withNumbers(numbers, (at) => this._call('set_state', at)));
  }
  _addGeneralForce(name, force, count) {
    this._check(this._memory.withNumbers(numbersOf(force, count, 'force'), (at) => this._call(name, at)));
  }
  _check(done) {
    if (!done) throw this._memory.error();
  }
}

class Body extends AnyBody {
  constructor(memory, handle, info) {
    super('body', memory, handle, info);
  }
  get state() {
    return this._state(this._info.rank, ['q', 'v', 'a']);
  }
  set state(state) {
    this._setState(this._info.rank, ['q', 'v', 'a'], state);
  }
  setAccelerationFromForces() {
    this._call('set_acceleration');
  }
  addReducedForce(force) {
    this._addGeneralForce('add_reduced_force', force, this._info.rank);
  }
  get stableDt() {
    return this._call('stable_dt');
  }
}

class WarpBody extends AnyBody {
  constructor(memory, handle, info) {
    super('warp', memory, handle, info);
  }
  get state() {
    return this._state(this._info.warp_modes, ['q', 'v'], ['surplus']);
  }
  set state(state) {
    this._setState(this._info.warp_modes, ['q', 'v'], state, ['surplus']);
  }
  get shapeCoordinates() {
    return this._memory.filled(Float64Array, this._info.warp_modes + this._info.warp_companions, (at) =>
      this._call('shape_coordinates', at));
  }
  addModalForce(force) {
    this._addGeneralForce('add_modal_force', force, this._info.warp_modes);
  }

  setManipulation(manipulation) {
    this._tell('set_manipulation', manipulation);
  }
  movePosition(position, [x, y, z]) {
    this._check(this._call('move_position', position, x, y, z));
  }
  turnOrientation(orientation, [x, y, z, w]) {
    this._check(this._call('turn_orientation', orientation, x, y, z, w));
  }
  get manipulationReport() {
    const [position_error, orientation_error, iterations, share] = this._memory.filled(Float64Array, 4, (at) =>
      this._call('manipulation_report', at));
    return { position_error, orientation_error, iterations, share };
  }
}
