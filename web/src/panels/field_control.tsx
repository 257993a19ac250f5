// SPDX-License-Identifier: Apache-2.0
// Controls of settings that the library describes: unit, range, words and the sentence are its own; the page adds a label
// and the part of the range that a slider covers.
import type { Field } from 'limber';
import type { Fields } from '../sim/settings';
import { Choice, NumberControl, type Scale } from './controls';

export function fieldOf(fields: Fields, struct: string, name: string): Field {
  const field = fields[struct].find((one) => one.name === name);
  if (!field) throw new Error(`the library has no setting ${struct}.${name}`);
  return field;
}

/** "kg/m^3" as it is printed. */
export function unitText(unit = ''): string {
  return unit.replace(/\^2/g, '²').replace(/\^3/g, '³');
}

interface Shown {
  label: string;
  /** Of the slider; what is typed may go as far as the library takes it. */
  min?: number;
  max?: number;
  scale?: Scale;
  words?: Record<string, string>;
}

const kIntegrators = {
  newmark: 'Implicit Newmark', energy: 'Energy-conserving', euler: 'Backward Euler', central: 'Central differences',
};

/** By the names of the fields. */
export const kShown: Record<string, Shown> = {
  young: { label: "Young's modulus E", scale: 'log' },
  poisson: { label: "Poisson's ratio ν", min: 0, max: 0.495 },
  density: { label: 'Density ρ', min: 10, max: 20000, scale: 'log' },
  'damping.alpha': { label: 'Damping α', min: 1e-3, max: 100, scale: 'log-zero' },
  'damping.beta': { label: 'Damping β', min: 1e-6, max: 1, scale: 'log-zero' },
  'damping.strain_rate': { label: 'Strain-rate damping', min: 1e-6, max: 1, scale: 'log-zero' },
  rank: { label: 'Coordinates r′' },
  newton: { label: 'Newton iterations', min: 0, max: 10 },
  integrator: { label: 'Integrator', words: kIntegrators },
  step: { label: 'Modal step', words: { 'semi-implicit': 'Semi-implicit', 'closed-form': 'Closed form' } },
  warping: { label: 'Warped shape', words: { warped: 'Length-preserving', local: 'Local (as published)' } },
  coupling: { label: 'Coupling', words: { exact: 'Exact', L1: 'L1: mass at the interface', L2: 'L2: mass at the centre' } },
  tolerance: { label: 'Tolerance', min: 1e-6, max: 0.1, scale: 'log' },
  young_scale: { label: 'Stiffness factor', min: 0.01, max: 100, scale: 'log' },
  frozen: { label: 'Frozen' },
  gusts: { label: 'Gusts', min: 0, max: 2 },
  drag: { label: 'Drag', min: 0, max: 3 },
  enabled: { label: 'Contact' },
  friction: { label: 'Friction µ', min: 0, max: 1.5 },
  stiffness: { label: 'Contact stiffness', min: 1e3, max: 1e12, scale: 'log' },
  dissipation: { label: 'Dissipation', min: 1e-3, max: 100, scale: 'log-zero' },
  self: { label: 'Self-contact' },
  margin: { label: 'Contact margin', min: 1e-6, max: 1, scale: 'log' },
  sleep: { label: 'Sleeping' },
  density_scale: { label: 'Density factor', min: 0.05, max: 20, scale: 'log' },
};

/** Of a number. `min`, `max`: of the slider, in place of those above. */
export function NumberOfField({ field, value, min, max, unit, onChange }: {
  field: Field; value: number; min?: number; max?: number; unit?: string; onChange: (value: number) => void;
}) {
  const shown = kShown[field.name];
  const whole = field.kind === 'whole number';
  const least = min ?? shown.min ?? field.least ?? 0, most = max ?? shown.max ?? field.most ?? 1;
  const step = whole ? 1 : shown.scale ? undefined : 0.005;
  return (
    <NumberControl label={shown.label} hint={field.sentence} unit={unit ?? unitText(field.unit)} value={value} min={least} max={most}
                   scale={shown.scale} step={step} onChange={(next) => onChange(whole ? Math.round(next) : next)} />
  );
}

/** Of a word; those that the page has no text for are left out. */
export function ChoiceOfField({ field, value, onChange }: {
  field: Field; value: string; onChange: (value: string) => void;
}) {
  const { label, words = {} } = kShown[field.name];
  const options = (field.words ?? []).filter((word) => word in words).map((word) => [word, words[word]] as const);
  return <Choice label={label} hint={field.sentence} value={value} options={options} onChange={onChange} />;
}
