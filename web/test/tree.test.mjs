// SPDX-License-Identifier: Apache-2.0
// Trees of domains as the page has them: shapes for drawing and picking, settings of domains, the order of the list.
import assert from 'node:assert/strict';
import test from 'node:test';
import { loadWasm, pageModule, plantFile, treeFile } from './bundle.mjs';

const { LiveWorld } = await pageModule('sim/live_world.ts');
const { defaultSettings, inputsBetween, withSettings } = await pageModule('sim/settings.ts');
const { treeCoordinates, treePositions, treeShape, treeVertex } = await pageModule('gpu/tree_shape.ts');
const { domainOfVertex, domainPalette } = await pageModule('view/domain_colours.ts');
const { labelRuns, triangleLabels } = await pageModule('make/domain_labels.ts');
const { fileOfShown, shownName } = await pageModule('sim/shown_name.ts');
const { windDegrees, windVelocity } = await pageModule('panels/wind_controls.tsx');
const { upVector } = await pageModule('view/up.ts');
const limber = await loadWasm();
const file = treeFile();
const kTree = 'tree.glb';
const model = limber.loadModel(file);
const tree = model.tree();
const rest = model.restPositions();

/** A world in which the tree hangs and swings. */
function swinging() {
  const world = new LiveWorld(limber, kTree, file);
  world.change({ ...world.settings, gravity: [0, 3, -9.81] });
  world.step(200);
  return world;
}

const farthest = (a, b) => a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);

test('a bar that was cut is a tree: parts, domains with parents before them, vertices that domains share', () => {
  assert.deepEqual(model.info.methods, ['domains']);
  assert.equal(tree.domains.length, model.info.domains);
  assert.ok(tree.domains.length >= 3, 'auto:4 leaves some domains');
  tree.domains.forEach(({ parent, part }, i) => {
    assert.ok(parent < i && (parent < 0) === (i === 0));
    assert.ok(tree.parts[part].rank > 0);
    assert.equal(tree.parts[part].positions.length, 3 * tree.parts[part].vertices);
    assert.equal(tree.parts[part].basis.length, 3 * tree.parts[part].vertices * tree.parts[part].rank);
  });
  assert.equal(tree.domains.reduce((sum, { part }) => sum + tree.parts[part].rank, 0), model.info.coordinates);
  assert.equal(tree.sharedVertices.length, rest.length / 3);
  const shared = tree.sharedVertices.filter((next, v) => next !== v);
  // 5 × 5 vertices of a cut through the bar; those on the surface are shared, by two domains each.
  assert.equal(shared.length, 2 * 16 * (tree.domains.length - 1));
  assert.equal(domainOfVertex(tree, 0), 0);
  assert.equal(domainOfVertex(tree, rest.length / 3 - 1), tree.domains.length - 1);
});

test('the page draws and picks a tree where the library has it', () => {
  const world = swinging();
  const [{ shapeCoordinates }] = world.frames(), body = world.body('domains');
  const shape = treeShape(rest, tree);
  assert.equal(shapeCoordinates.length, treeCoordinates(shape));
  const positions = treePositions(shape, shapeCoordinates);
  const library = body.surfaceDisplacement().map((u, i) => rest[i] + u);
  assert.ok(farthest(library, rest) > 0.01, 'it moved');
  // Floats of about 1 m.
  assert.ok(farthest(positions, library) < 1e-6, `${farthest(positions, library)} m apart`);
  for (let v = 0; v < rest.length / 3; v += 7)
    assert.ok(farthest(treeVertex(shape, shapeCoordinates, v), library.slice(3 * v, 3 * v + 3)) < 1e-6);
  world.destroy();
});

test('a tree is pulled, reset, recorded and replayed to the last bit', () => {
  const world = swinging();
  const vertex = rest.length / 3 - 1;
  assert.ok(world.stiffnessAt('domains', vertex) > 0);
  const place = world.body('domains').position(vertex);
  world.reset();
  world.startRecording();
  world.apply({ body: 'domains', pull: { vertex, target: [place[0], place[1], place[2] + 0.2], stiffness: 50 } });
  world.step(100);
  const seen = world.frames()[0].q;
  const scene = world.recordedScene();
  world.stopRecording();
  world.startReplay(scene);
  world.step(100);
  assert.deepEqual(world.frames()[0].q, seen);
  world.destroy();
});

test('settings of a domain are set by name and go back to as built', () => {
  const world = new LiveWorld(limber, kTree, file);
  const before = world.settings, [body] = before.bodies, { name } = tree.domains[1];
  const soft = withSettings(body.settings, { domains: { [name]: { young_scale: 0.5, density_scale: 1, frozen: false } } });
  world.change({ ...before, bodies: [{ ...body, settings: soft }] });
  assert.equal(world.settings.bodies[0].settings.domains[name].young_scale, 0.5);
  world.change(before);
  assert.equal(world.settings.bodies[0].settings.domains, undefined);
  assert.deepEqual(inputsBetween(before, world.settings), []);
  assert.throws(() => world.change({ ...before, bodies: [{ ...body, settings: { ...body.settings, domains: { nobody: {} } } }] }), /no domain/);
  world.destroy();
});

test('a new tree is damped, exact, and its only method is its own', () => {
  const { bodies: [{ method, settings }] } = defaultSettings(model.info, kTree);
  assert.equal(method, 'domains');
  assert.ok(settings.damping.beta > 0);
  const world = new LiveWorld(limber, kTree, file);
  assert.deepEqual(world.methodsOf(kTree), ['domains']);
  assert.equal(world.settings.bodies[0].settings.coupling, 'exact');
  world.destroy();
});

test('no domain has the colour of its parent or of the sibling before it', () => {
  const parents = [-1, ...Array.from({ length: 200 }, (_, i) => Math.floor(i / 5))];
  const colours = domainPalette(parents);
  const last = new Map();
  parents.forEach((parent, i) => {
    if (parent >= 0) assert.notEqual(colours[i], colours[parent]);
    assert.notEqual(colours[i], last.get(parent));
    last.set(parent, colours[i]);
  });
});

test('painted vertices become labels of triangles: most corners count, the last domain covers others', () => {
  const positions = new Float32Array(3 * 5), triangles = Int32Array.of(0, 1, 2, 1, 2, 3, 2, 3, 4);
  const first = Uint8Array.of(1, 1, 1, 0, 0), second = Uint8Array.of(0, 0, 1, 1, 1);
  const labels = triangleLabels({ positions, triangles }, [first, second]);
  assert.deepEqual([...labels], [1, 2, 2]);
  assert.deepEqual(labelRuns(labels), [[1, 1], [2, 2]]);
  assert.deepEqual(labelRuns(triangleLabels({ positions, triangles }, [])), [[0, 3]]);
});

// What the page draws of each body, against the library.
function expectDrawnRight(world, where) {
  for (const { name, shapeCoordinates } of world.frames()) {
    const body = world.body(name), made = body.presentModel(), positions = made.restPositions();
    const drawn = treePositions(treeShape(positions, made.tree()), shapeCoordinates);
    const library = body.surfaceDisplacement().map((u, i) => positions[i] + u);
    made.destroy();
    assert.ok(drawn.every(Number.isFinite));
    // Floats of about 1 m.
    assert.ok(farthest(drawn, library) < 1e-6, `${name} ${where}: ${farthest(drawn, library)} m apart`);
  }
}

test('what hangs on a domain comes off with it, and is drawn where the library has it', () => {
  const world = swinging(), { name } = tree.domains[1];
  world.detach('domains', name);
  world.step(20);
  assert.deepEqual(world.frames().map(({ model: of }) => of), [kTree, shownName(kTree, name, {})]);
  const piece = world.body(`domains.${name}`).presentModel();
  assert.ok(piece.tree().domains.length < tree.domains.length);
  assert.equal(piece.tree().domains[0].name, name);
  piece.destroy();
  expectDrawnRight(world, 'detached');
  world.reset();
  assert.deepEqual(world.frames().map(({ model: of }) => of), [kTree]);
  world.destroy();
});

test('a domain that is replaced is drawn as the other part, live and in a replay, and so is what comes off with it', () => {
  const plant = plantFile(), kPlant = 'plant.glb';
  const world = new LiveWorld(limber, kPlant, plant);
  world.change({ ...world.settings, gravity: [0, 0, -1] });
  const namesNow = () => world.frames().map(({ model: of }) => of);
  const replaced = shownName(kPlant, '', { b: 'withered' });
  // The part is half as thick: what is drawn of b is so, too.
  const thickness = () => {
    const body = world.body('domains'), made = body.presentModel(), { parts, domains } = made.tree();
    const x = parts[domains.find(({ name }) => name === 'b').part].positions;
    made.destroy();
    return x.reduce((most, each, i) => (i % 3 === 1 ? Math.max(most, each) : most), -Infinity)
      - x.reduce((least, each, i) => (i % 3 === 1 ? Math.min(least, each) : least), Infinity);
  };
  world.startRecording();
  world.step(5);
  assert.ok(Math.abs(thickness() - 0.2) < 1e-6);
  world.apply({ body: 'domains', set: { domains: { b: { replace: 'withered' } } } });
  world.step(15);
  assert.deepEqual(namesNow(), [replaced]);
  assert.ok(Math.abs(thickness() - 0.1) < 1e-6);
  expectDrawnRight(world, 'replaced');
  const scene = world.recordedScene();
  world.stopRecording();

  world.startReplay(scene);
  world.step(5);
  assert.deepEqual(namesNow(), [kPlant]);
  world.step(1);
  assert.deepEqual(namesNow(), [replaced]);
  world.step(14);
  expectDrawnRight(world, 'replayed');
  world.detach('domains', 'b');
  world.step(5);
  assert.deepEqual(namesNow(), [replaced, shownName(kPlant, 'b', { b: 'withered' })]);
  expectDrawnRight(world, 'detached');
  world.destroy();

  // A scene in which it is so from the start.
  const opened = new LiveWorld(limber, kPlant, plant);
  const { bodies: [body] } = opened.settings;
  opened.change({ ...opened.settings, bodies: [{ ...body, settings: { ...body.settings, domains: { b: { replace: 'withered' } } } }] });
  opened.reset();
  assert.deepEqual(opened.frames().map(({ model: of }) => of), [replaced]);
  assert.equal(fileOfShown(replaced), kPlant);
  opened.destroy();
});

test('wind blows across up, by speed and direction', () => {
  for (const axis of ['x', 'y', 'z', '-y']) {
    const up = upVector(axis);
    for (const degrees of [0, 45, 90, 200, 359]) {
      const velocity = windVelocity(up, 7, degrees);
      assert.ok(Math.abs(Math.hypot(...velocity) - 7) < 1e-9);
      assert.ok(Math.abs(velocity.reduce((sum, x, k) => sum + x * up[k], 0)) < 1e-9);
      assert.equal(windDegrees(up, velocity), degrees);
    }
  }
});
