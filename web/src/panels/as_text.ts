// SPDX-License-Identifier: Apache-2.0
// The settings and the last pull as a scene for `limber simulate` and as a Python program: docs/scene_file.md,
// docs/recording.md, docs/python.md.
import type { ModelInfo } from 'limber';
import type { Pull } from '../sim/recording';
import { sceneKeys, type Settings } from '../sim/settings';

const kSeconds = 2;

/** Without what is as the library has it anyway. */
function settingsOf(settings: Settings, info: ModelInfo, method: Settings['methods'][number]): Record<string, unknown> {
  const keys: Record<string, unknown> = { ...sceneKeys(settings, info, method) };
  if (method === 'stvk') {
    const changed = info.groups.filter((group) => {
      const { young, poisson, density } = settings.materials[group.name] ?? group;
      return young !== group.young || poisson !== group.poisson || density !== group.density;
    });
    if (changed.length === 0) delete keys.materials;
    else keys.materials = Object.fromEntries(changed.map(({ name }) => [name, settings.materials[name]]));
    if (settings.rank === info.rank) delete keys.rank;
  }
  keys.damping = Object.fromEntries(Object.entries(keys.damping as object).filter(([, value]) => value !== 0));
  if (Object.keys(keys.damping as object).length === 0) delete keys.damping;
  return keys;
}

/** `pull` acts from the first step on; null: none. */
export function commandLineText(settings: Settings, info: ModelInfo, model: string, pull: Pull | null): string {
  const scene = {
    duration: kSeconds, dt: settings.dt, gravity: settings.gravity,
    bodies: settings.methods.map((method) => ({
      name: method, model, method: method === 'stvk' ? 'stvk' : 'warp', ...settingsOf(settings, info, method),
    })),
    every: Math.max(1, Math.round(1 / 60 / settings.dt)),
    ...(pull ? { recording: { version: 1, steps: Math.round(kSeconds / settings.dt), inputs: [{ step: 0, pull }] } } : {}),
  };
  // Lists of numbers in one line.
  const text = JSON.stringify(scene, null, 1).replace(/\[\s+([-\d.e+,\s]+?)\s+\]/g, (_, numbers: string) => `[${numbers.replace(/\s+/g, ' ')}]`);
  const build = info.command ? `# The model was built with: ${info.command}\n` : '';
  return `# In the folder of ${model} (Download in the studio).\n${build}cat > scene.json <<'END'\n${text}\nEND\nlimber simulate scene.json -o motion.glb\n`;
}

// JSON's literals are Python's, but for these.
function python(value: unknown): string {
  if (Array.isArray(value)) return `(${value.map(python).join(', ')})`;
  if (value && typeof value === 'object')
    return `{${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${python(one)}`).join(', ')}}`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

export function pythonText(settings: Settings, info: ModelInfo, model: string, pull: Pull | null): string {
  const bodies = settings.methods.map((method) => {
    const words = { ...settingsOf(settings, info, method), gravity: settings.gravity };
    const type = method === 'stvk' ? 'Body' : 'WarpBody';
    return `${method} = limber.${type}(model, ${Object.entries(words).map(([key, value]) => `${key}=${python(value)}`).join(', ')})`;
  });
  const spring = pull ? `
# The pull: a spring from a surface vertex to a point, N/m and m.
vertex, stiffness, target = ${pull.vertex}, ${pull.stiffness}, np.array(${python(pull.target)})

def pull(body):
    body.clear_forces()
    body.add_force(vertex, stiffness * (target - body.surface_positions()[vertex]))
` : '';
  const step = (method: string) => `${pull ? `    pull(${method})\n` : ''}    ${method}.step(${settings.dt})`;
  return `# In the folder of ${model} (Download in the studio). The module is in build/release/python of limber's folder:
#   PYTHONPATH=LIMBER/build/release/python /usr/bin/python3 THIS_FILE
import limber${pull ? '\nimport numpy as np' : ''}

model = limber.load(${JSON.stringify(model)})
${bodies.join('\n')}
${spring}
for _ in range(${Math.round(kSeconds / settings.dt)}):
${settings.methods.map(step).join('\n')}
print(${settings.methods.map((method) => `${method}.q`).join(', ')})
`;
}
