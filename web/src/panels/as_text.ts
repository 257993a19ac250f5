// SPDX-License-Identifier: Apache-2.0
// The bodies, their settings and the last pull as a scene for `limber simulate` and as a Python program:
// docs/scene_file.md, docs/recording.md, docs/python.md.
import type { ModelInfo } from 'limber';
import type { BodyJson, Spring } from '../sim/recording';
import { bodyJson, fieldsOf, flies, type BodySetup, type Fields, type Settings } from '../sim/settings';

const kSeconds = 2;

export interface Copied {
  settings: Settings;
  /** By the names of their files. */
  models: ReadonlyMap<string, { info: ModelInfo }>;
  fields: Fields;
  /** Acts from the first step on; null: none. */
  pull: { body?: string; pull: Spring } | null;
}

/** Without what is as the library, or the model, has it anyway. */
function changedKeys(body: BodySetup, { info }: { info: ModelInfo }, fields: Fields): BodyJson {
  const keys: Record<string, unknown> = { ...bodyJson(body) };
  const isDefault = (name: string, value: unknown) => {
    const field = fieldsOf(fields, body.method).find((one) => one.name === name);
    return field !== undefined && JSON.stringify(field.default) === JSON.stringify(value);
  };
  for (const [key, value] of Object.entries(keys)) if (isDefault(key, value)) delete keys[key];
  if (keys.mount === (info.free_body ? 'free' : 'fixed')) delete keys.mount;
  // A free body has them anyway.
  if (body.method === 'stvk' && flies(body)) for (const key of ['integrator', 'newton']) delete keys[key];
  if (keys.damping) {
    keys.damping = Object.fromEntries(Object.entries(keys.damping).filter(([key, value]) => !isDefault(`damping.${key}`, value)));
    if (Object.keys(keys.damping as object).length === 0) delete keys.damping;
  }
  if (Array.isArray(keys.coordinates) && keys.coordinates.length === 0) delete keys.coordinates;
  const { materials } = body.settings;
  if (materials) {
    const changed = info.groups.filter(({ name, ...built }) => {
      const { young, poisson, density } = materials[name] ?? built;
      return young !== built.young || poisson !== built.poisson || density !== built.density;
    });
    if (changed.length === 0) delete keys.materials;
    else keys.materials = Object.fromEntries(changed.map(({ name }) => [name, materials[name]]));
  }
  return keys as unknown as BodyJson;
}

function filesOf({ bodies, obstacles }: Settings): string[] {
  return [...new Set([...bodies.map(({ model }) => model), ...obstacles.flatMap(({ shape: { mesh } }) => mesh ?? [])])];
}

export function commandLineText({ settings, models, fields, pull }: Copied): string {
  const scene = {
    duration: kSeconds, dt: settings.dt, gravity: settings.gravity, ...(settings.wind ? { wind: settings.wind } : {}), ...(settings.contact ? { contact: settings.contact } : {}),
    ...(settings.obstacles.length > 0 ? { obstacles: settings.obstacles } : {}),
    bodies: settings.bodies.map((body) => changedKeys(body, models.get(body.model)!, fields)),
    every: Math.max(1, Math.round(1 / 60 / settings.dt)),
    ...(pull ? { recording: { version: 3, steps: Math.round(kSeconds / settings.dt), inputs: [{ step: 0, ...pull }] } } : {}),
  };
  // Lists of numbers in one line.
  const text = JSON.stringify(scene, null, 1).replace(/\[\s+([-\d.e+,\s]+?)\s+\]/g, (_, numbers: string) => `[${numbers.replace(/\s+/g, ' ')}]`);
  const files = filesOf(settings);
  const builds = files.flatMap((file) => {
    const { command } = models.get(file)!.info;
    return command ? [`# ${file} was built with: ${command}\n`] : [];
  });
  return `# In the folder of ${files.join(', ')} (Download in the studio).\n${builds.join('')}cat > scene.json <<'END'\n${text}\nEND\nlimber simulate scene.json -o motion.glb\n`;
}

// JSON's literals are Python's, but for these.
function python(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (value && typeof value === 'object')
    return `{${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${python(one)}`).join(', ')}}`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return 'None';
  return JSON.stringify(value);
}

export function pythonText({ settings, models, fields, pull }: Copied): string {
  const files = filesOf(settings);
  const bodies = settings.bodies.map((body) => {
    const { model, ...words } = changedKeys(body, models.get(body.model)!, fields);
    const given = Object.entries(words).map(([key, value]) => `${key}=${python(value)}`);
    return `world.add(models[${JSON.stringify(model)}], ${given.join(', ')})`;
  });
  // Obstacles find their meshes by name.
  const named = settings.obstacles.some(({ shape: { mesh } }) => mesh) ? 'for name, model in models.items():\n    world.add_model(name, model)\n' : '';
  const touching = [...settings.obstacles.map((obstacle) => ({ add_obstacle: obstacle })), ...(settings.contact ? [{ contact: settings.contact }] : []),
    ...(settings.wind ? [{ wind: settings.wind }] : [])]
    .map((input) => `world.apply(${python(input)})\n`).join('');
  const spring = pull ? `
# The pull: a spring from a surface vertex to a point, N/m and m.
world.apply(${python(pull)})
` : '';
  return `# In the folder of ${files.join(', ')} (Download in the studio):
#   /usr/bin/python3 THIS_FILE
# finds the module of an installed limber (Debian's package python3-limber). Of one that was built in a folder LIMBER:
#   PYTHONPATH=LIMBER/build/release/python /usr/bin/python3 THIS_FILE
import limber

models = {name: limber.load(name) for name in ${python(files)}}
world = limber.World(gravity=${python(settings.gravity)})
${named}${touching}${bodies.join('\n')}
${spring}
for _ in range(${Math.round(kSeconds / settings.dt)}):
    world.step(${settings.dt})
for body in world.bodies:
    print(body.name, body.pose, body.q)
`;
}
