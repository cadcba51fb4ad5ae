// Springs: the only motion of the constellation. Pure: time is given.

/** Response in seconds, and damping. */
export const SPRINGS = { normal: [0.55, 0.78], reveal: [0.55, 0.65], snap: [0.35, 0.85], gentle: [0.8, 0.72] };

/** A value at rest; `least` is the distance that nobody sees. */
export const spring = (value, kind = SPRINGS.normal, least = 0.05) => ({ value, target: value, velocity: 0, kind, least });

export function jump(it, value = it.target) {
  it.value = it.target = value;
  it.velocity = 0;
}

/** Moves a value on by seconds, exactly for steps of any length; gives whether it moved. */
export function step(it, seconds) {
  const away = it.value - it.target;
  if (away === 0 && it.velocity === 0) return false;
  const [response, damping] = it.kind;
  const omega = (2 * Math.PI) / response;
  const damped = omega * Math.sqrt(1 - damping * damping);
  const decay = Math.exp(-damping * omega * seconds);
  const cos = Math.cos(damped * seconds);
  const sin = Math.sin(damped * seconds);
  const { velocity } = it;
  it.value = it.target + decay * (away * cos + ((velocity + damping * omega * away) / damped) * sin);
  it.velocity = decay * (velocity * cos - ((damping * omega * velocity + omega * omega * away) / damped) * sin);
  if (Math.abs(it.value - it.target) < it.least && Math.abs(it.velocity) < it.least * 10) jump(it);
  return true;
}

/** A pulse between 0 and 1, once in `period` seconds. */
export const breathe = (seconds, period = 2.4) => 0.5 - 0.5 * Math.cos((2 * Math.PI * seconds) / period);
