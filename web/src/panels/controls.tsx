// SPDX-License-Identifier: Apache-2.0
// Labelled controls with a unit and a short explanation each.
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

/** The scale of a slider: linear, logarithmic, or logarithmic with zero at the left end. */
export type Scale = 'linear' | 'log' | 'log-zero';

interface NumberProps {
  label: string;
  hint: string;
  unit: string;
  value: number;
  min: number;
  max: number;
  scale?: Scale;
  /** The smallest difference; of linear ones only. */
  step?: number;
  disabled?: boolean;
  onChange: (value: number) => void;
}

const kSlots = 1000;

export function toSlot(value: number, min: number, max: number, scale: Scale): number {
  if (scale === 'linear') return (kSlots * (value - min)) / (max - min);
  if (scale === 'log-zero' && value < min) return 0;
  return (kSlots * Math.log(Math.max(value, min) / min)) / Math.log(max / min);
}

export function fromSlot(slot: number, min: number, max: number, scale: Scale): number {
  if (scale === 'linear') return min + (slot / kSlots) * (max - min);
  if (scale === 'log-zero' && slot <= 0) return 0;
  return Number((min * (max / min) ** (slot / kSlots)).toPrecision(3));
}

export function shortNumber(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(2).replace(/\.?0+e/, 'e').replace('e+', 'e');
  return String(Number(value.toPrecision(4)));
}

/** A number by slider or by typing. Typed values may leave the slider's range; the library says what it cannot take. */
export function NumberControl(props: NumberProps) {
  const { label, hint, unit, value, min, max, scale = 'linear', step, disabled, onChange } = props;
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const finish = () => {
    const next = Number(typed);
    if (typed !== null && typed.trim() !== '' && Number.isFinite(next) && next !== value) onChange(next);
    setTyped(null);
  };
  const slide = (slot: number) => {
    const raw = fromSlot(slot, min, max, scale);
    onChange(step ? Number((Math.round(raw / step) * step).toPrecision(12)) : raw);
  };
  return (
    <div class="control" title={hint}>
      <label for={`${id}-text`}>{label}</label>
      <span class="value">
        <input id={`${id}-text`} type="text" inputMode="decimal" class="number" disabled={disabled}
               aria-describedby={`${id}-hint`} value={typed ?? shortNumber(value)}
               onInput={(event) => setTyped(event.currentTarget.value)} onBlur={finish}
               onKeyDown={(event) => {
                 if (event.key === 'Enter') finish();
                 if (event.key === 'Escape') setTyped(null);
               }} />
        <span class="unit">{unit}</span>
      </span>
      <input type="range" min={0} max={kSlots} step={step ? (kSlots * step) / (max - min) : 'any'} disabled={disabled}
             aria-label={`${label}, slider`} aria-describedby={`${id}-hint`} aria-valuetext={`${shortNumber(value)} ${unit}`}
             value={toSlot(value, min, max, scale)} onInput={(event) => slide(Number(event.currentTarget.value))} />
      <p class="hint" id={`${id}-hint`}>{hint}</p>
    </div>
  );
}

export function Toggle(props: {
  label: string; hint: string; checked: boolean; disabled?: boolean; onChange: (on: boolean) => void;
}) {
  const id = useId();
  return (
    <div class="toggle" title={props.hint}>
      <input id={id} type="checkbox" checked={props.checked} disabled={props.disabled} aria-describedby={`${id}-hint`}
             onChange={(event) => props.onChange(event.currentTarget.checked)} />
      <label for={id}>{props.label}</label>
      <p class="hint" id={`${id}-hint`}>{props.hint}</p>
    </div>
  );
}

export function Choice<T extends string>(props: {
  label: string; hint: string; value: T; options: readonly (readonly [T, string])[]; disabled?: boolean;
  onChange: (value: T) => void;
}) {
  const id = useId();
  return (
    <div class="control" title={props.hint}>
      <label for={id}>{props.label}</label>
      <select id={id} value={props.value} disabled={props.disabled} aria-describedby={`${id}-hint`}
              onChange={(event) => props.onChange(event.currentTarget.value as T)}>
        {props.options.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
      </select>
      <p class="hint" id={`${id}-hint`}>{props.hint}</p>
    </div>
  );
}

export function Panel(props: { title: string; open?: boolean; children: ComponentChildren }) {
  return (
    <details class="panel" open={props.open}>
      <summary><h2>{props.title}</h2></summary>
      <div class="panel-body">{props.children}</div>
    </details>
  );
}

export function Button(props: {
  hint: string; onClick: () => void; children: ComponentChildren; primary?: boolean; pressed?: boolean; disabled?: boolean;
  keys?: string;
}) {
  return (
    <button type="button" class={props.primary ? 'primary' : undefined} title={props.hint} disabled={props.disabled}
            aria-pressed={props.pressed} aria-keyshortcuts={props.keys} onClick={props.onClick}>
      {props.children}
    </button>
  );
}
