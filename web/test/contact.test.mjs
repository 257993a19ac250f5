// SPDX-License-Identifier: Apache-2.0
// The page's world with a floor: bodies that are dropped, stacked and poured in, the ball, and scenes that are saved and
// opened.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Box3 } from 'three';
import { barFile, loadWasm, pageModule } from './bundle.mjs';

const { LiveWorld } = await pageModule('sim/live_world.ts');
const { defaultSettings, newBody } = await pageModule('sim/settings.ts');
const { dropped, kMostBodies, poured, stacked, withModels } = await pageModule('view/arrange.ts');
const { packScene, parsePlainScene, readScene, settingsOf } = await pageModule('sim/scene_file.ts');
const { floorAt, floorHeight } = await pageModule('sim/touching.ts');
const { worldBox } = await pageModule('view/display.ts');
const { upVector } = await pageModule('view/up.ts');
const limber = await loadWasm();
const file = barFile();
const kBar = 'bar.glb';
const bar = limber.loadModel(file);
const rest = bar.restPositions();
const box = new Box3().setFromArray(rest);
const kGravity = 9.81;
const mass = bar.info.groups.reduce((sum, { volume, density }) => sum + volume * density, 0);
const size = Math.hypot(box.max.x - box.min.x, box.max.y - box.min.y, box.max.z - box.min.z);

const open = (settings) => new LiveWorld(limber, kBar, file, settings);
const first = open(null);
const modelOf = () => ({ title: kBar, info: bar.info, flight: first.flightOf(kBar), box });
const start = defaultSettings(bar.info, kBar);
const lowest = (world, body) => Math.min(...Array.from({ length: rest.length / 3 }, (_, v) => world.body(body).position(v)[2]));
const states = (world) => world.frames().map(({ q, position, orientation }) => [[...q], position, orientation]);

test('a floor is found again, whatever is up', () => {
  for (const up of ['x', 'y', 'z', '-x', '-y', '-z'])
    assert.ok(Math.abs(floorHeight(floorAt(upVector(up), 0.7), upVector(up)) - 0.7) < 1e-12, up);
  assert.equal(floorHeight(floorAt([0, 1, 0], 0.7), [0, 0, 1]), null);
});

test('a bar with fixed vertices is dropped as a rigid body, and the page says why', () => {
  const { settings, remarks } = dropped(start, modelOf, 'z');
  assert.deepEqual(settings.gravity, [0, 0, -kGravity]);
  assert.equal(settings.contact.enabled, true);
  assert.equal(settings.obstacles.length, 1);
  assert.deepEqual(settings.bodies.map(({ method }) => method), ['rigid']);
  assert.match(remarks.join(), /bar\.glb falls as a rigid body: some of its vertices are fixed/);
  // A second time it begins where it began.
  const again = dropped(settings, modelOf, 'z').settings;
  assert.deepEqual(again.obstacles, settings.obstacles);
  again.bodies[0].position.forEach((x, k) => assert.ok(Math.abs(x - settings.bodies[0].position[k]) < 1e-12));
});

test('where a variant has nothing fixed, that one falls, soft, of the same materials', () => {
  const kFree = 'bar-free.glb', free = { title: 'Bar, free', info: bar.info, flight: { soft: true, rigid: true, whyNotSoft: '' }, box };
  const models = (model) => (model === kFree ? free : modelOf());
  const materials = { default: { young: 2e5, poisson: 0.3, density: 900 } };
  const soft = { ...start, bodies: [{ ...start.bodies[0], settings: { ...start.bodies[0].settings, materials, newton: 3 } }] };
  const { settings, remarks } = dropped(withModels(soft, ['stvk'], () => kFree, models), models, 'z');
  const [{ name, model, method, mount, settings: own, position }] = settings.bodies;
  assert.deepEqual([name, model, method, mount], ['stvk', kFree, 'stvk', 'free']);
  assert.deepEqual(own.materials, materials);
  assert.equal(own.newton, undefined, 'a free body has a step of its own');
  assert.ok(position[2] > 0.3 * size);
  assert.deepEqual(remarks, []);
  // Only the bodies that are named; rigid ones stay rigid.
  assert.deepEqual(withModels(soft, [], () => kFree, models), soft);
  const rigid = { ...start, bodies: [newBody(bar.info, kBar, 'rigid', [])] };
  assert.deepEqual(withModels(rigid, ['rigid'], () => kFree, models), rigid);
});

test('a soft body falls from no higher than what strains it by 30%: 2 g h = 0.09 E/ρ', () => {
  for (const [young, height] of [[1e9, 0.5 * size], [2e4, (0.09 * 2e4) / 1000 / (2 * kGravity)]]) {
    const groups = [{ ...bar.info.groups[0], young, density: 1000 }];
    const models = () => ({ title: kBar, info: { ...bar.info, groups }, flight: { soft: true, rigid: true, whyNotSoft: '' }, box });
    const { settings: { bodies: [{ position, rotation }], obstacles } } = dropped(start, models, 'z');
    const { min } = worldBox({ box, position, rotation });
    assert.ok(Math.abs(min.z - floorHeight(obstacles[0], [0, 0, 1]) - height) < 1e-9, `${young} Pa: ${min.z}`);
  }
});

test('what falls is stepped ten times in its first period, by 2 ms at most; the step that was chosen later stays', () => {
  const models = (hz) => () => ({ title: kBar, info: { ...bar.info, frequencies_hz: [hz] }, flight: { soft: true, rigid: true, whyNotSoft: '' }, box });
  const fine = { ...start, dt: 1e-4 };
  for (const [hz, dt] of [[1, 0.002], [70, 0.001], [1000, 1e-4], [5000, 1e-4]])
    assert.equal(dropped(fine, models(hz), 'z').settings.dt, dt, `${hz} Hz`);
  const again = { ...dropped(fine, models(1), 'z').settings, dt: 5e-4 };
  assert.equal(dropped(again, models(1), 'z').settings.dt, 5e-4);
  assert.equal(dropped(fine, modelOf, 'z').settings.dt, 1e-4, 'a rigid body');
});

test('warped bodies do not fly: the nonlinear one of the same model falls; a free tree falls as a tree', () => {
  const models = () => ({ title: kBar, info: bar.info, flight: { soft: true, rigid: true, whyNotSoft: '' }, box });
  for (const [method, falls] of [['warp', 'stvk'], ['linear', 'stvk'], ['domains', 'domains']]) {
    const world = { ...start, bodies: [newBody(bar.info, kBar, method, [])] };
    const { settings: { bodies: [body] }, remarks } = dropped(world, models, 'z');
    assert.deepEqual([body.method, body.mount, remarks], [falls, 'free', []], method);
  }
});

test('dropped, it comes to rest on the floor, and the contact force is its weight', () => {
  const { settings } = dropped(start, modelOf, 'z');
  const floor = floorHeight(settings.obstacles[0], [0, 0, 1]);
  // Awake, so that the last step tells its force.
  const world = open({ ...settings, contact: { ...settings.contact, sleep: false } });
  assert.ok(lowest(world, 'rigid') > floor + 0.3 * size);
  world.step(6000);
  const [{ contact, kinetic }] = world.frames();
  assert.ok(kinetic < 1e-6 * mass * kGravity * size, `${kinetic} J of motion are left`);
  assert.ok(Math.abs(contact.force[2] / (mass * kGravity) - 1) < 1e-3, `${contact.force[2]} N under ${mass * kGravity} N`);
  assert.ok(Math.hypot(contact.force[0], contact.force[1]) < 1e-2 * mass * kGravity);
  // It sinks in by 1e-4 of its size under its weight, as the automatic stiffness says.
  const { stiffness, depth, points } = world.contact();
  assert.ok(stiffness > 0);
  assert.ok(Math.abs(lowest(world, 'rigid') - floor) < 2e-3 * size && depth < 2e-3 * size, `${depth} m deep`);
  // Points are told where they are asked for, and their forces add up.
  assert.equal(points.length, 0);
  world.wantsContacts = true;
  const sum = world.contact().points.reduce((total, { force }) => total + force[2], 0);
  assert.ok(Math.abs(sum - contact.force[2]) < 1e-9 * mass * kGravity);
  world.destroy();
});

test('at rest it sleeps, and a reset drops it again', () => {
  const world = open(dropped(start, modelOf, 'z').settings);
  world.step(8000);
  assert.equal(world.contact().asleep, 1);
  world.reset();
  assert.equal(world.contact()?.asleep ?? 0, 0);
  assert.ok(lowest(world, 'rigid') > 0.2 * size);
  world.destroy();
});

test('the ball pushes the bar; its force is told, and is what the bar feels', () => {
  // With more damping than the page's own, which lets it swing for twenty seconds.
  const world = open({ ...start, bodies: start.bodies.map((body) => ({ ...body, settings: { ...body.settings, damping: { ...body.settings?.damping, alpha: 4 } } })) });
  const tip = [0.95 * box.max.x, 0.5 * (box.min.y + box.max.y)];
  const radius = 0.05;
  world.moveBall([...tip, box.max.z + radius + 0.02], radius, 'stvk');
  world.step(50);
  assert.ok(world.ball().force.every((x) => x === 0));  // of either sign
  // 5 cm down, and rest there.
  for (let i = 0; i < 60; ++i) {
    world.moveBall([...tip, box.max.z + radius - 0.05], radius, 'stvk');
    world.step(16);
  }
  world.step(6000);
  const { force, touching, position, stiffness } = world.ball();
  // The spring of the coupling is stretched by the force.
  assert.ok(touching > 0 && force[2] > 0, `${force}`);
  assert.ok(position[2] > box.max.z + radius - 0.05 && position[2] < box.max.z + radius);
  const stretched = stiffness * (position[2] - (box.max.z + radius - 0.05));
  assert.ok(Math.abs(stretched / force[2] - 1) < 1e-3, `${stretched} N and ${force[2]} N`);
  // What the hand feels is what the bar feels, once all rests.
  world.frames()[0].contact.force.forEach((x, k) => assert.ok(Math.abs(x + force[k]) < 1e-3 * force[2], `${x} N and ${force[k]} N`));
  // The same force at the tip bends it as far: statics of the same reduced body, within what the place of the force matters.
  const vertex = Array.from({ length: rest.length / 3 }, (_, v) => v).reduce((best, v) => {
    const far = (one) => Math.hypot(rest[3 * one] - tip[0], rest[3 * one + 1] - tip[1], rest[3 * one + 2] - box.max.z);
    return far(v) < far(best) ? v : best;
  }, 0);
  const moved = world.body('stvk').displacement(vertex)[2];
  const other = open(start);
  other.apply({ body: 'stvk', forces: [{ vertex, force: [0, 0, -force[2]] }] });
  const { q } = other.body('stvk').balance([{ vertex, force: [0, 0, -force[2]] }]);
  other.apply({ body: 'stvk', state: { q: [...q] } });
  const expected = other.body('stvk').displacement(vertex)[2];
  assert.ok(Math.abs(moved / expected - 1) < 0.1, `${moved} m by the ball, ${expected} m by its force`);
  // Taken away, nothing touches any more.
  world.moveBall(null, radius, 'stvk');
  world.step(10);
  assert.equal(world.ball(), null);
  assert.equal(world.contact(), null);
  world.destroy();
  other.destroy();
});

test('a recording has the ball, and repeats what it did to the last bit', () => {
  const world = open(start);
  let scene = null;
  world.onRecorded = (recorded) => { scene = recorded; };
  world.startRecording();
  for (let i = 0; i < 20; ++i) {
    world.moveBall([0.9, 0.1, box.max.z + 0.05 - 0.004 * i], 0.05, 'stvk');
    world.step(11);
  }
  world.moveBall(null, 0.05, 'stvk');
  world.step(50);
  const expected = states(world);
  world.stopRecording();
  world.startReplay(scene);
  world.step(10 ** 6);
  assert.deepEqual(states(world), expected);
  world.destroy();
});

test('twenty are poured in: none is lost, nothing is NaN', () => {
  const { settings } = poured(dropped(start, modelOf, 'z').settings, [kBar], modelOf, 'z');
  assert.equal(settings.bodies.length, 21);
  assert.equal(new Set(settings.bodies.map(({ name }) => name)).size, 21);
  const world = open(settings);
  const floor = floorHeight(settings.obstacles[0], [0, 0, 1]);
  world.step(3000); // until the heap rests: while they fall at metres a second, bars sink in by centimetres
  for (const { name, position, orientation } of world.frames()) {
    assert.ok([...position, ...orientation].every(Number.isFinite), name);
    assert.ok(lowest(world, name) > floor - 0.01 * size, `${name} is ${floor - lowest(world, name)} m below the floor`);
  }
  assert.ok(world.contact().touching > 0);
  world.destroy();
});

test('a stack stands upon itself; the page takes no more than it can draw', () => {
  const { settings } = stacked(start, 'stvk', modelOf, 'z');
  assert.equal(settings.bodies.length, 5);
  const heights = settings.bodies.map(({ position }) => position[2]);
  for (let i = 1; i < 5; ++i) assert.ok(heights[i] - heights[i - 1] >= box.max.z - box.min.z);
  const more = stacked(settings, settings.bodies[0].name, modelOf, 'z').settings;
  assert.ok(more.bodies.length === 9 && more.bodies.length < kMostBodies);
});

test('a scene is saved with its models and opened again: the same motion to the last bit', async () => {
  const { settings } = dropped({ ...start, bodies: [...start.bodies, newBody(bar.info, kBar, 'warp', start.bodies, [0, 2, 0])] },
    modelOf, 'z');
  // The second one flies as a rigid body as well: a third stays mounted, bent and moving.
  const mounted = newBody(bar.info, kBar, 'stvk', settings.bodies, [0, 4, 1]);
  const world = open({ ...settings, bodies: [...settings.bodies, mounted] });
  world.apply({ body: mounted.name, pull: { vertex: 0, target: [0, 4, 2], stiffness: 30 } });
  world.step(700);
  const archive = packScene(world.scene(), () => file);
  const opened = await readScene([{ path: 'folder/two bars.zip', bytes: archive }]);
  assert.equal(opened.title, 'two bars');
  assert.deepEqual([...opened.models.keys()], [kBar]);
  assert.ok(opened.scene.duration > 0, 'limber simulate makes some seconds of it');
  assert.deepEqual(new Uint8Array(opened.models.get(kBar)), new Uint8Array(file));
  const read = settingsOf(opened.scene, () => 'stvk');
  const again = open(read.settings);
  for (const input of read.inputs) again.apply(input);
  assert.deepEqual(again.settings.bodies.map(({ name, method }) => [name, method]),
    world.settings.bodies.map(({ name, method }) => [name, method]));
  assert.deepEqual(states(again), states(world));
  world.step(100);
  again.step(100);
  assert.deepEqual(states(again), states(world));
  // A reset is back where the scene began.
  again.reset();
  assert.notDeepEqual(states(again), states(world));
  world.destroy();
  again.destroy();
});

test('what cannot be opened is named, with what to do', async () => {
  const file1 = (scene) => JSON.stringify(scene);
  const body = { name: 'a', model: kBar };
  for (const [text, message] of [
    ['{', /not JSON/], ['[]', /no list "bodies"/], [file1({ bodies: [] }), /no list "bodies"/],
    [file1({ bodies: [{}] }), /"model" is missing/], [file1({ bodies: [{ model: 'a.obj' }] }), /a\.obj is a mesh/],
    [file1({ bodies: [body], events: [] }), /cannot open "events"/], [file1({ bodies: [{ ...body, support: 'a' }] }), /cannot open "support"/],
    [file1({ bodies: [body], obstacles: [{}] }), /"shape" is missing/],
  ]) assert.throws(() => parsePlainScene(text, 'scene.json'), (error) => message.test(error.problem) && error.tryThis.length > 0, text);
  await assert.rejects(readScene([{ path: 'a.glb', bytes: new Uint8Array(3) }]), /no scene file/);
  const { scene } = await readScene([{ path: 'my.json', bytes: new TextEncoder().encode(file1({ bodies: [{ model: kBar }] })) }]);
  assert.equal(settingsOf(scene, () => 'stvk').settings.bodies[0].name, 'body1');
});

test('a body keeps its layer from a scene file to the world and back', () => {
  const scene = parsePlainScene(JSON.stringify({
    gravity: [0, 0, -kGravity], obstacles: [{ name: 'floor', shape: { plane: { offset: -1 } }, layer: 1 }],
    bodies: [{ name: 'through', model: kBar, method: 'rigid', layer: 2 }, { name: 'held', model: kBar, method: 'rigid', position: [0, 3, 0] }],
  }), 'scene.json');
  const { settings } = settingsOf(scene, () => 'rigid');
  assert.deepEqual(settings.bodies.map(({ layer }) => layer), [2, undefined]);
  const world = open(settings);
  assert.deepEqual(world.settings.bodies.map(({ layer }) => layer), [2, undefined]);
  world.step(2000);
  assert.ok(lowest(world, 'through') < -5);
  assert.ok(lowest(world, 'held') > -1.1);
  world.destroy();
});
