// SPDX-License-Identifier: Apache-2.0
// Curves by uPlot, in the colours of the page. A plot is a picture: what it says stands beside it in words.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { dark } from '../page/theme';
import { plain } from '../page/format';

export interface Curve {
  label: string;
  values: (number | null)[];
  colour: string;
  dashed?: boolean;
  dots?: boolean;
}

interface PlotProps {
  /** What it shows, for those who do not see it. */
  label: string;
  x: number[];
  xLabel: string;
  yLabel: string;
  curves: Curve[];
  logarithmic?: boolean;
  height?: number;
}

// One line for each power of ten.
function decades(_plot: uPlot, _axis: number, min: number, max: number): number[] {
  const first = Math.ceil(Math.log10(min) - 1e-9);
  const last = Math.floor(Math.log10(max) + 1e-9);
  const apart = Math.ceil((last - first + 1) / 6);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    .filter((power) => (last - power) % apart === 0)
    .map((power) => 10 ** power);
}

function options(props: PlotProps, width: number): uPlot.Options {
  const ink = dark.value ? '#a3b1bc' : '#55646f';
  const grid = dark.value ? '#303b45' : '#d3dae0';
  const axis = {
    stroke: ink,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1 },
    labelSize: 20,
    labelFont: '12px system-ui',
    font: '11px system-ui',
  };
  return {
    width,
    height: props.height ?? 220,
    scales: { x: { time: false }, y: { distr: props.logarithmic ? 3 : 1 } },
    cursor: { drag: { x: false, y: false } },
    legend: { show: props.curves.length > 1 },
    axes: [
      { ...axis, label: props.xLabel },
      {
        ...axis,
        label: props.yLabel,
        size: 62,
        ...(props.logarithmic && { splits: decades, filter: (_plot: uPlot, splits: number[]) => splits }),
        values: (_plot: uPlot, splits: number[]) => splits.map((value) => plain(value)),
      },
    ],
    series: [
      { label: props.xLabel },
      ...props.curves.map((curve) => ({
        label: curve.label,
        stroke: curve.colour,
        width: 2,
        dash: curve.dashed ? [6, 4] : undefined,
        points: { show: curve.dots ?? false, size: 5, fill: curve.colour },
      })),
    ],
  };
}

export function Plot(props: PlotProps) {
  const host = useRef<HTMLDivElement>(null);
  const { x, curves, label } = props;
  const isDark = dark.value;
  useEffect(() => {
    const at = host.current!;
    const data = [x, ...curves.map(({ values }) => values)] as uPlot.AlignedData;
    const plot = new uPlot(options(props, at.clientWidth || 400), data, at);
    const resize = new ResizeObserver(() => plot.setSize({ width: at.clientWidth, height: props.height ?? 220 }));
    resize.observe(at);
    return () => {
      resize.disconnect();
      plot.destroy();
    };
  }, [x, curves, isDark]);
  return <div class="plot" ref={host} role="img" aria-label={label} />;
}

export const kFirstCurve = '#0072b2',
  kSecondCurve = '#d55e00';
