// SPDX-License-Identifier: Apache-2.0
// Controls with a label and a line that explains them.
import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { ProblemText } from '../page/announce';
import type { Problem } from '../api/client';
import { plain, withoutCommands } from '../page/format';

interface NumberFieldProps {
  label: string;
  hint?: string;
  /** After the number: "m", "Pa". */
  unit?: string;
  /** Null: empty. */
  value: number | null;
  /** Gets only numbers within the limits, or null where it may be empty. */
  onValue: (value: number | null) => void;
  min?: number;
  max?: number;
  whole?: boolean;
  /** May be left empty, and what that means. */
  empty?: string;
}

export function NumberField({
  label,
  hint,
  unit,
  value,
  onValue,
  min = -Infinity,
  max = Infinity,
  whole,
  empty,
}: NumberFieldProps) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? (value === null ? '' : String(Number(value.toPrecision(5))));
  const problem = problemOf(text);

  function problemOf(entered: string): string | null {
    if (entered.trim() === '') return empty === undefined ? 'Enter a number.' : null;
    const number = Number(entered);
    if (!Number.isFinite(number)) return 'This is not a number.';
    if (whole && !Number.isInteger(number)) return 'Enter a whole number.';
    if (number < min) return `At least ${plain(min)}.`;
    if (number > max) return `At most ${plain(max)}.`;
    return null;
  }

  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="with-unit">
        <input
          id={id}
          type="text"
          inputMode="decimal"
          value={text}
          placeholder={empty}
          autocomplete="off"
          aria-describedby={`${id}-hint`}
          aria-invalid={problem !== null}
          onInput={(event) => {
            const entered = event.currentTarget.value;
            setDraft(entered);
            if (problemOf(entered) === null) onValue(entered.trim() === '' ? null : Number(entered));
          }}
          // What arrives from the server meanwhile does not change a field that is being edited.
          onFocus={() => setDraft(text)}
          onBlur={() => setDraft(null)}
        />
        {unit && <span class="unit">{unit}</span>}
      </span>
      <p class={problem ? 'hint wrong' : 'hint'} id={`${id}-hint`}>
        {problem ?? hint}
      </p>
    </div>
  );
}

export function TextField({
  label,
  hint,
  value,
  onValue,
}: {
  label: string;
  hint: string;
  value: string;
  onValue: (value: string) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        value={value}
        maxLength={200}
        autocomplete="off"
        aria-describedby={`${id}-hint`}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  legend: string;
  hint?: string;
  value: Value;
  onValue: (value: Value) => void;
  options: { value: Value; label: string; text?: ComponentChildren }[];
}

/** One of a few, all in sight. */
export function Choice<Value extends string>({ legend, hint, value, onValue, options }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <fieldset class="choice" aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend>{legend}</legend>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <div class="options">
        {options.map((option) => (
          <label key={option.value} class="option">
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValue(option.value)}
            />
            <span>
              <span class="option-name">{option.label}</span>
              {option.text && <span class="hint">{option.text}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A box that switches a signal. */
export function Check({ label, on }: { label: string; on: Signal<boolean> }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={on.value}
        onChange={(event) => {
          on.value = event.currentTarget.checked;
        }}
      />{' '}
      {label}
    </label>
  );
}

/** An error where it happened. */
export function ProblemHere({ problem, children }: { problem: Problem; children?: ComponentChildren }) {
  return (
    <div class="problem-here" role="alert">
      <p>
        <ProblemText problem={{ ...problem, try_this: withoutCommands(problem.try_this) }} />
      </p>
      {children}
    </div>
  );
}
