// SPDX-License-Identifier: Apache-2.0
// Soft bodies in JavaScript: limber's run-time library, compiled to WebAssembly, through its interface in C
// (bindings/c/limber.h). Works in Node, in a page and in a worker; needs no SharedArrayBuffer. Types and
// documentation: limber.d.ts.

/** What limber says about input that it cannot take. */
export class LimberError extends Error {
  constructor({ where, problem, try_this: tryThis }, status = 'refused') {
    super(`${where}: ${problem}${tryThis ? ` (try: ${tryThis})` : ''}`);
    this.name = 'LimberError';
    this.where = where;
    this.problem = problem;
    this.tryThis = tryThis;
    this.status = status;
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
  let library = null;
  const imports = {
    wasi_snapshot_preview1: systemCalls(() => library.exports.memory),
    limber: { field: (_user, frame, out, count) => library.writeFrame(frame, out, count) },
  };
  const bytes = typeof Response !== 'undefined' && source instanceof Response ? await source.arrayBuffer() : source;
  const made = await WebAssembly.instantiate(bytes, imports);
  library = new Library((made.instance ?? made).exports);
  library.start();
  return new Limber(library);
}

// The module's functions and memory. The memory may move when it grows, so no view of it is kept.
class Library {
  #out = 0;
  #frame = null;
  #frameError = null;
  constructor(exports) {
    this.exports = exports;
  }
  start() {
    this.exports._initialize();
    this.#out = this.exports.limber_alloc(64);
  }

  call(name, ...rest) {
    const status = this.exports[name](...rest);
    if (status === 0) return;
    const word = this.#textAt(this.exports.limber_status_word(status));
    throw new LimberError(JSON.parse(this.#textAt(this.exports.limber_error())), word);
  }
  // The same with a last argument that points to a result: a struct, whose bytes are returned; …
  struct(name, ...rest) {
    this.call(name, ...rest, this.#out);
    return new DataView(this.exports.memory.buffer.slice(this.#out, this.#out + 64));
  }
  // … a whole number or a handle; …
  whole(name, ...rest) {
    return this.struct(name, ...rest).getUint32(0, true);
  }
  // … a text.
  text(name, ...rest) {
    return this.#textAt(this.whole(name, ...rest));
  }
  json(name, ...rest) {
    return JSON.parse(this.text(name, ...rest));
  }

  // Calls act with pointers to copies of the typed arrays, inputs first; afterwards the outputs are what it wrote.
  use(inputs, outputs, act) {
    const arrays = [...inputs, ...outputs];
    const sizes = arrays.map((array) => (array.byteLength + 7) & ~7);
    const block = this.#alloc(sizes.reduce((sum, size) => sum + size, 0));
    try {
      let at = block;
      const places = sizes.map((size) => (at += size) - size);
      inputs.forEach((array, i) => this.#bytes(places[i], array.byteLength).set(bytesOf(array)));
      const result = act(...places);
      outputs.forEach((array, i) => bytesOf(array).set(this.#bytes(places[inputs.length + i], array.byteLength)));
      return result;
    } finally {
      this.exports.limber_free(block);
    }
  }
  withText(text, act) {
    const bytes = new TextEncoder().encode(text);
    return this.use([bytes], [], (at) => act(at, bytes.length));
  }
  // A new array of `length` numbers that act(at, length) writes.
  filled(Type, length, act) {
    const out = new Type(length);
    this.use([], [out], (at) => act(at, length));
    return out;
  }

  // Lets act() call back for frames: field(frame) gives the numbers of one.
  withField(field, act) {
    this.#frame = field;
    this.#frameError = null;
    try {
      return act(this.exports.limber_js_field());
    } catch (error) {
      throw this.#frameError ?? error;
    } finally {
      this.#frame = null;
      this.#frameError = null;
    }
  }
  // No exception may cross the module: it would be left in the middle of things.
  writeFrame(frame, out, count) {
    try {
      const numbers = this.#frame(frame);
      if (numbers.length !== count) throw wrongCount('field', numbers.length, count);
      new Float64Array(this.exports.memory.buffer, out, count).set(numbers);
      return 0;
    } catch (error) {
      this.#frameError ??= error;
      return 1;
    }
  }

  #alloc(bytes) {
    const at = this.exports.limber_alloc(Math.max(bytes, 1));
    if (!at) throw new LimberError({ where: 'memory', problem: `${bytes} bytes are not to be had`, try_this: '' }, 'no-memory');
    return at;
  }
  #bytes(at, length) {
    return new Uint8Array(this.exports.memory.buffer, at, length);
  }
  #textAt(at) {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    return new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }
}

function bytesOf(array) {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
function wrongCount(where, given, needed) {
  return new LimberError({ where, problem: `${given} numbers were given; ${needed} are needed`, try_this: '' }, 'wrong-size');
}
function vector3(list, where) {
  if (list.length !== 3) throw wrongCount(where, list.length, 3);
  return Float64Array.from(list);
}
// Vertices and forces of [{ vertex, force }].
function forceArrays(forces) {
  return [Int32Array.from(forces, ({ vertex }) => vertex), Float64Array.from(forces.flatMap(({ force }) => [...vector3(force, 'force')]))];
}
function settingsText(settings) {
  return settings === undefined ? '' : JSON.stringify(settings);
}

// Handles that nobody destroyed end when nobody can reach them.
const kForgotten = typeof FinalizationRegistry === 'undefined' ? null
  : new FinalizationRegistry(({ library, free, handle }) => library.exports[free](handle));

class Handle {
  #library;
  #handle;
  #free;
  #kind;
  constructor(library, handle, free, kind) {
    this.#library = library;
    this.#handle = handle;
    this.#free = free;
    this.#kind = kind;
    kForgotten?.register(this, { library, free, handle }, this);
  }
  get _library() {
    return this.#library;
  }
  get _handle() {
    if (!this.#handle) throw new Error(`the ${this.#kind} was destroyed`);
    return this.#handle;
  }
  destroy() {
    if (!this.#handle) return;
    kForgotten?.unregister(this);
    this.#library.call(this.#free, this.#handle);
    this.#handle = 0;
  }
}

class Limber {
  #library;
  constructor(library) {
    this.#library = library;
  }
  get fields() {
    return this.#library.json('limber_fields');
  }
  loadModel(bytes) {
    const view = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
    return new Model(this.#library, this.#library.use([view], [], (at) =>
      this.#library.whole('limber_model_load', at, view.length)));
  }
  createWorld({ gravity = [0, 0, 0] } = {}) {
    return new World(this.#library, this.#library.use([vector3(gravity, 'gravity')], [], (at) =>
      this.#library.whole('limber_world_create', at)));
  }
  createLink({ period = 0.001, damping = 0, delay = 0, maxForce = 1000, maxSpeed = 5 } = {}) {
    return new Link(this.#library, this.#library.whole('limber_link_create', period, damping, delay, maxForce, maxSpeed));
  }
  selectPoints(text, positions) {
    const points = Float64Array.from(positions);
    return selected(this.#library, Math.floor(points.length / 3), (out, room) =>
      this.#library.withText(text, (at, size) => this.#library.use([points], [], (from) =>
        this.#library.whole('limber_select_points', at, size, from, points.length, out, room))));
  }
  principalShapes(field, { frames, size, tolerance, most }) {
    const library = this.#library;
    const handle = library.withField(field, (pointer) =>
      library.whole('limber_shapes_create', pointer, 0, size, frames, tolerance, most));
    try {
      const info = library.struct('limber_shapes_info', handle);
      const error = info.getFloat64(0, true), count = info.getInt32(8, true);
      const all = new Float32Array(count * size), weights = new Float64Array(count * frames);
      library.use([], [all, weights], (shapesAt, weightsAt) =>
        library.call('limber_shapes_copy', handle, shapesAt, all.length, weightsAt, weights.length));
      return { shapes: pieces(all, size), weights: Array.from({ length: frames }, (_, i) => weights.subarray(i * count, (i + 1) * count)), error };
    } finally {
      library.call('limber_shapes_free', handle);
    }
  }
}

function pieces(all, size) {
  return Array.from({ length: size === 0 ? 0 : all.length / size }, (_, i) => all.subarray(i * size, (i + 1) * size));
}
// The ids that act(out, room) finds.
function selected(library, room, act) {
  let found = 0;
  return library.filled(Int32Array, room, (out) => {
    found = act(out, room);
  }).slice(0, found);
}

// As in limber.h.
const kFloats = { restPositions: 0, restNormals: 1, basis: 2, warpModes: 3, warpRotations: 4, warpCompanions: 5, meshPositions: 6, meshBasis: 7, partPositions: 8, partBases: 9 };
const kInts = { triangles: 0, inputVertices: 1, meshEdges: 2, meshFixed: 3, sharedVertices: 4 };
const kNumbers = { q: 0, v: 1, shapeCoordinates: 2, shapeRotations: 3, pose: 4, supportPose: 5, energies: 6, springForces: 7, stableDt: 8, momenta: 9, contacts: 10, domainPoses: 11, flight: 12 };
const kContactNumbers = 18, kDeviceNumbers = 20, kLinkNumbers = 10;
const kVectors = { position: 0, velocity: 1, displacement: 2, rotation: 3 };
const kProblems = ['none', 'time-step', 'not-solved', 'blow-up'];

class Model extends Handle {
  constructor(library, handle) {
    super(library, handle, 'limber_model_free', 'model');
    /** What the model is: rank, groups, counts, frequencies. */
    this.info = Object.freeze(library.json('limber_model_info', handle));
  }
  get rank() {
    return this.info.rank;
  }
  restPositions() {
    return this.#floats(kFloats.restPositions);
  }
  restNormals() {
    return this.#floats(kFloats.restNormals);
  }
  triangles() {
    return this.#ints(kInts.triangles);
  }
  inputVertices() {
    return this.#ints(kInts.inputVertices);
  }
  surfaceBasis() {
    return this.#floats(kFloats.basis);
  }
  warpModes() {
    return this.#floats(kFloats.warpModes);
  }
  warpRotations() {
    return this.#floats(kFloats.warpRotations);
  }
  warpCompanions() {
    return this.#floats(kFloats.warpCompanions);
  }
  simulationMesh() {
    return {
      positions: this.#floats(kFloats.meshPositions),
      edges: this.#ints(kInts.meshEdges),
      fixedVertices: this.#ints(kInts.meshFixed),
      basis: this.#floats(kFloats.meshBasis),
    };
  }
  tree() {
    const tree = this._library.json('limber_model_tree', this._handle);
    if (!tree) return null;
    const positions = this.#floats(kFloats.partPositions), bases = this.#floats(kFloats.partBases);
    let vertex = 0, number = 0;
    const parts = tree.parts.map(({ rank, vertices, ...part }) => {
      const size = 3 * vertices;
      const made = { ...part, rank, vertices, positions: positions.slice(vertex, vertex + size), basis: bases.slice(number, number + size * rank) };
      vertex += size;
      number += size * rank;
      return made;
    });
    return { parts, domains: tree.domains, sharedVertices: this.#ints(kInts.sharedVertices) };
  }

  modes(settings) {
    const rank = this.rank, frequencies = new Float64Array(rank), shapes = new Float64Array(rank * rank);
    this._library.withText(settingsText(settings), (at, size) => this._library.use([], [frequencies, shapes], (f, s) =>
      this._library.call('limber_model_modes', this._handle, at, size, f, rank, s, shapes.length)));
    return { frequencies, shapes: pieces(shapes, rank) };
  }
  modalDerivative(i, j, settings) {
    return this._library.withText(settingsText(settings), (at, size) => this._library.filled(Float64Array, this.rank, (out, count) =>
      this._library.call('limber_model_modal_derivative', this._handle, at, size, i, j, out, count)));
  }
  rayleighFrequency(q, settings) {
    const numbers = Float64Array.from(q);
    return this._library.withText(settingsText(settings), (at, size) => this._library.use([numbers], [], (from) =>
      this._library.struct('limber_model_rayleigh_frequency', this._handle, at, size, from, numbers.length).getFloat64(0, true)));
  }
  linearStatics() {
    return new LinearStatics(this._library, this._library.whole('limber_statics_create', this._handle));
  }
  select(text) {
    return selected(this._library, this.info.vertices, (out, room) => this._library.withText(text, (at, size) =>
      this._library.whole('limber_model_select', this._handle, at, size, out, room)));
  }

  #floats(which) {
    const count = this._library.whole('limber_model_floats_count', this._handle, which);
    return this._library.filled(Float32Array, count, (out) => this._library.call('limber_model_floats', this._handle, which, out, count));
  }
  #ints(which) {
    const count = this._library.whole('limber_model_ints_count', this._handle, which);
    return this._library.filled(Int32Array, count, (out) => this._library.call('limber_model_ints', this._handle, which, out, count));
  }
}

class LinearStatics extends Handle {
  constructor(library, handle) {
    super(library, handle, 'limber_statics_free', 'static model');
    const info = library.struct('limber_statics_info', handle);
    this.rank = info.getInt32(0, true);
    this.isModal = info.getInt32(4, true) === 1;
    this.softestVertex = info.getInt32(8, true);
  }
  coordinates(forces) {
    const [vertices, numbers] = forceArrays(forces);
    const q = new Float64Array(this.rank);
    this._library.use([vertices, numbers], [q], (v, f, out) =>
      this._library.call('limber_statics_coordinates', this._handle, v, f, vertices.length, out, q.length));
    return q;
  }
  compliance(vertex) {
    return this._library.filled(Float64Array, 9, (out, count) =>
      this._library.call('limber_statics_compliance', this._handle, vertex, out, count));
  }
  springForce(vertex, distance) {
    const force = new Float64Array(3);
    const isFixed = this._library.use([vector3(distance, 'distance')], [force], (from, out) =>
      this._library.whole('limber_statics_spring_force', this._handle, vertex, from, out));
    return isFixed ? null : [...force];
  }
}

class Link extends Handle {
  constructor(library, handle) {
    super(library, handle, 'limber_link_free', 'link');
  }
  exchange(position) {
    const force = new Float64Array(3), events = new Uint32Array(1);
    this._library.use([vector3(position, 'position')], [force, events], (from, out, bits) =>
      this._library.call('limber_link_exchange', this._handle, from, out, bits));
    return { force: [...force], events: events[0] };
  }
  read() {
    const position = new Float64Array(3), readings = new Float64Array(1);
    this._library.use([], [position, readings], (out, count) => this._library.call('limber_link_read', this._handle, out, count));
    return { position: [...position], readings: readings[0] };
  }
  answer(force) {
    this._library.use([vector3(force, 'force')], [], (at) => this._library.call('limber_link_answer', this._handle, at));
  }
  numbers() {
    return this._library.filled(Float64Array, kLinkNumbers, (out, count) => this._library.call('limber_link_numbers', this._handle, out, count));
  }
}

// Of a world or of a body.
class SavedState extends Handle {
  constructor(library, handle) {
    super(library, handle, 'limber_state_free', 'state');
  }
}

class World extends Handle {
  #bodies = null; // null: they may have changed
  #known = new Map(); // by number
  #isReplaying = false;
  constructor(library, handle) {
    super(library, handle, 'limber_world_free', 'world');
  }

  addModel(name, model) {
    this._library.withText(name, (at, size) => this._library.call('limber_world_add_model', this._handle, at, size, model._handle));
    this.#bodies = null;
  }
  apply(input) {
    this._library.withText(JSON.stringify(input), (at, size) => this._library.call('limber_world_apply', this._handle, at, size));
    this.#bodies = null;
  }

  get dt() {
    return this.#clock().getFloat64(8, true);
  }
  set dt(dt) {
    this._library.call('limber_world_set_dt', this._handle, dt);
  }
  get time() {
    return this.#clock().getFloat64(0, true);
  }
  get gravity() {
    const clock = this.#clock();
    return [16, 24, 32].map((at) => clock.getFloat64(at, true));
  }
  get steps() {
    return Number(this.#clock().getBigInt64(40, true));
  }
  step(count = 1) {
    if (this.#isReplaying) this.#bodies = null;
    const made = this._library.struct('limber_world_step', this._handle, count);
    return { steps: made.getInt32(0, true), notConverged: made.getInt32(4, true), iterations: made.getInt32(8, true) };
  }

  get bodies() {
    if (this.#bodies) return this.#bodies;
    const described = this._library.json('limber_world_bodies', this._handle);
    const known = new Map(described.map((each) => [each.number, this.#known.get(each.number) ?? new WorldBody(this, each)]));
    this.#known = known;
    return (this.#bodies = Object.freeze([...known.values()]));
  }
  body(name) {
    const number = this._library.withText(name, (at, size) => this._library.whole('limber_world_find', this._handle, at, size));
    return this.bodies.find((body) => body.number === number);
  }

  get wind() {
    return this._library.json('limber_world_wind', this._handle);
  }
  get contactSettings() {
    return this._library.json('limber_world_contact_settings', this._handle);
  }
  get contactReport() {
    return this._library.json('limber_world_contact_report', this._handle);
  }
  contactNumbers() {
    const count = this._library.whole('limber_world_contacts_count', this._handle);
    return this._library.filled(Float64Array, count, (out) => this._library.call('limber_world_contacts', this._handle, out, count));
  }
  get contacts() {
    return pieces(this.contactNumbers(), kContactNumbers).map((all) => ({
      a: all[0], b: all[1], obstacle: all[2],
      position: [...all.slice(3, 6)], normal: [...all.slice(6, 9)], impulse: [...all.slice(9, 12)], force: [...all.slice(12, 15)],
      depth: all[15], slip: all[16], device: all[17],
    }));
  }
  get obstacles() {
    return this._library.json('limber_world_obstacles', this._handle);
  }
  findObstacle(name) {
    return this._library.withText(name, (at, size) => this._library.whole('limber_world_find_obstacle', this._handle, at, size));
  }
  obstacleInputs(obstacle) {
    return this._library.json('limber_obstacle_inputs', this._handle, obstacle);
  }
  get devices() {
    return this._library.json('limber_world_devices', this._handle);
  }
  findDevice(name) {
    return this._library.withText(name, (at, size) => this._library.whole('limber_world_find_device', this._handle, at, size));
  }
  moveDevice(device, position) {
    this._library.use([vector3(position, 'position')], [], (at) => this._library.call('limber_device_move', this._handle, device, at));
  }
  deviceNumbers(device) {
    return this._library.filled(Float64Array, kDeviceNumbers, (out, count) => this._library.call('limber_device_numbers', this._handle, device, out, count));
  }

  clone() {
    return new World(this._library, this._library.whole('limber_world_clone', this._handle));
  }
  save() {
    return new SavedState(this._library, this._library.whole('limber_world_save', this._handle));
  }
  restore(state) {
    this._library.call('limber_world_restore', this._handle, state._handle);
    this.#bodies = null;
  }

  startRecording() {
    this._library.call('limber_recording_start', this._handle);
  }
  recorded() {
    return this._library.json('limber_recording_text', this._handle);
  }
  stopRecording() {
    return this._library.json('limber_recording_stop', this._handle);
  }
  startReplay(scene) {
    this._library.withText(JSON.stringify(scene), (at, size) => this._library.call('limber_replay_start', this._handle, at, size));
    this.#isReplaying = true;
    this.#bodies = null;
  }
  get replay() {
    const progress = this._library.struct('limber_replay_progress', this._handle);
    this.#isReplaying = progress.getBigInt64(16, true) === 1n;
    if (!this.#isReplaying) return null;
    return { step: Number(progress.getBigInt64(0, true)), steps: Number(progress.getBigInt64(8, true)) };
  }
  get replayProblem() {
    const problem = this._library.json('limber_replay_problem', this._handle);
    return problem && new LimberError(problem);
  }
  stopReplay() {
    this._library.call('limber_replay_stop', this._handle);
    this.#isReplaying = false;
  }

  #clock() {
    return this._library.struct('limber_world_clock', this._handle);
  }
}

class WorldBody {
  #world;
  #about;
  constructor(world, about) {
    this.#world = world;
    this.#about = about;
  }
  get number() {
    return this.#about.number;
  }
  get name() {
    return this.#about.name;
  }
  get method() {
    return this.#about.method;
  }
  get mount() {
    return this.#about.mount;
  }
  get model() {
    return this.#about.model;
  }
  get subtree() {
    return this.#about.subtree ?? '';
  }
  get settings() {
    return this.#library.json('limber_body_settings', ...this.#me);
  }
  get inputs() {
    return this.#library.json('limber_body_inputs', ...this.#me);
  }
  presentModel() {
    return new Model(this.#library, this.#library.whole('limber_body_model', ...this.#me));
  }

  get q() {
    return this.#numbers(kNumbers.q, this.#about.coordinates);
  }
  get v() {
    return this.#numbers(kNumbers.v, this.#about.coordinates);
  }
  get shapeCoordinates() {
    return this.#numbers(kNumbers.shapeCoordinates, this.#about.shape_coordinates);
  }
  get shapeRotations() {
    return this.#numbers(kNumbers.shapeRotations);
  }
  get domainPoses() {
    return this.#numbers(kNumbers.domainPoses);
  }
  get pose() {
    return poseOf(this.#numbers(kNumbers.pose, 7));
  }
  get supportPose() {
    return poseOf(this.#numbers(kNumbers.supportPose, 7));
  }
  get energies() {
    const [kinetic, elastic] = this.#numbers(kNumbers.energies, 2);
    return { kinetic, elastic };
  }
  get kineticEnergy() {
    return this.energies.kinetic;
  }
  get elasticEnergy() {
    return this.energies.elastic;
  }
  get springForces() {
    return pieces(this.#numbers(kNumbers.springForces), 3).map((force) => [...force]);
  }
  get stableDt() {
    return this.#numbers(kNumbers.stableDt)[0] ?? Infinity;
  }
  get momenta() {
    const all = this.#numbers(kNumbers.momenta);
    return all.length === 0 ? null : { linear: [...all.slice(0, 3)], angular: [...all.slice(3)] };
  }

  get flight() {
    const all = this.#numbers(kNumbers.flight);
    return all.length === 0 ? null
      : { mass: all[0], centre: [...all.slice(1, 4)], velocity: [...all.slice(4, 7)], angularVelocity: [...all.slice(7)] };
  }

  get contacts() {
    const all = this.#numbers(kNumbers.contacts, 9);
    return { points: all[0], force: [...all.slice(1, 4)], impulse: [...all.slice(4, 7)], depth: all[7] };
  }
  get isAsleep() {
    return this.#numbers(kNumbers.contacts, 9)[8] === 1;
  }

  get report() {
    return reportOf(this.#library.struct('limber_body_report', ...this.#me));
  }
  get constraintReport() {
    const report = this.#library.struct('limber_body_constraints', ...this.#me);
    if (report.getInt32(28, true) === 0) return null;
    return {
      positionError: report.getFloat64(0, true),
      orientationError: report.getFloat64(8, true),
      fraction: report.getFloat64(16, true),
      iterations: report.getInt32(24, true),
    };
  }

  position(vertex) {
    return this.#vector(kVectors.position, vertex);
  }
  velocity(vertex) {
    return this.#vector(kVectors.velocity, vertex);
  }
  displacement(vertex) {
    return this.#vector(kVectors.displacement, vertex);
  }
  rotation(vertex) {
    return this.#vector(kVectors.rotation, vertex);
  }
  surfaceDisplacement() {
    return this.#library.filled(Float32Array, 3 * this.#about.vertices, (out, count) =>
      this.#library.call('limber_body_surface', ...this.#me, out, 0, count));
  }
  surfaceNormals() {
    return this.#library.filled(Float32Array, 3 * this.#about.vertices, (out, count) =>
      this.#library.call('limber_body_surface', ...this.#me, 0, out, count));
  }
  suggestPullStiffness(vertex, dt = this.#world.dt) {
    return this.#library.struct('limber_body_suggest_pull_stiffness', ...this.#me, vertex, dt).getFloat64(0, true);
  }
  balance(forces = []) {
    const [vertices, numbers] = forceArrays(forces);
    const q = new Float64Array(this.#about.coordinates);
    const report = this.#library.use([vertices, numbers], [q], (v, f, out) =>
      this.#library.struct('limber_body_balance', ...this.#me, v, f, vertices.length, out, q.length));
    return { q, report: reportOf(report) };
  }
  save() {
    return new SavedState(this.#library, this.#library.whole('limber_body_save', ...this.#me));
  }
  restore(state) {
    this.#library.call('limber_body_restore', ...this.#me, state._handle);
  }

  get #library() {
    return this.#world._library;
  }
  get #me() {
    return [this.#world._handle, this.number];
  }
  #numbers(which, known) {
    const count = known ?? this.#library.whole('limber_body_numbers_count', ...this.#me, which);
    return this.#library.filled(Float64Array, count, (out) => this.#library.call('limber_body_numbers', ...this.#me, which, out, count));
  }
  #vector(which, vertex) {
    const out = new Float64Array(3);
    this.#library.use([Int32Array.of(vertex)], [out], (from, to) =>
      this.#library.call('limber_body_vertices', ...this.#me, which, from, 1, to, 3));
    return [...out];
  }
}

function poseOf(numbers) {
  return { position: [...numbers.slice(0, 3)], rotation: [...numbers.slice(3)] };
}
function reportOf(report) {
  return {
    residual: report.getFloat64(0, true),
    converged: report.getInt32(8, true) === 1,
    problem: kProblems[report.getInt32(12, true)],
    iterations: report.getInt32(16, true),
    shifts: report.getInt32(20, true),
    lineSearches: report.getInt32(24, true),
  };
}
