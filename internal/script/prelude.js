// Evaluated once, before any script. Its value is the function that judges one answer.
(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const { apply, construct } = Reflect;
  const { isArray } = Array;
  const text = String;
  const Plain = Function;

  // There is no clock and no chance. What they would give is fixed anyway; a fault says so.
  const none = (what) => { throw new Error('a script has no ' + what); };
  const Time = Date;
  Time.now = () => none('clock');
  globalThis.Date = new Proxy(Time, {
    apply: () => none('clock'),
    construct: (target, args, self) => args.length > 0 ? construct(target, args, self) : none('clock'),
  });
  Time.prototype.constructor = globalThis.Date;
  Math.random = () => none('random numbers');

  // What a script prints goes nowhere.
  globalThis.console = Object.fromEntries(['log', 'info', 'warn', 'error', 'debug'].map((name) => [name, () => {}]));

  // An expression, or statements that return.
  const compile = (code) => {
    try {
      return new Plain('output', 'context', 'return (' + code + '\n)');
    } catch {
      return new Plain('output', 'context', code);
    }
  };

  const verdict = (result, threshold) => {
    switch (typeof result) {
      case 'boolean': return { pass: result };
      case 'string': return { pass: result !== '' };
      case 'number': return { pass: threshold === undefined ? result > 0 : result >= threshold, score: text(result) };
      case 'object': break;
      default: throw 'the script returned ' + (result === undefined ? 'nothing' : 'a ' + typeof result);
    }
    if (result === null || isArray(result)) return { pass: result !== null };
    const { pass, score, reason } = result;
    if (typeof pass !== 'boolean') throw 'the script returned an object without a `pass` of true or false';
    const enough = threshold === undefined || typeof score === 'number' && score >= threshold;
    return { pass: pass && enough, score: typeof score === 'number' ? text(score) : '', reason: typeof reason === 'string' ? reason.slice(0, 1000) : '' };
  };

  const fault = (e, part) => {
    const error = typeof e === 'object' && e !== null;
    const says = error && typeof e.message === 'string' ? (typeof e.name === 'string' ? e.name + ': ' : '') + e.message : text(e);
    return { fault: text(says).slice(0, 300) || 'an error', part, stack: error && typeof e.stack === 'string' ? e.stack.slice(0, 2000) : '' };
  };

  return (input) => {
    const { source, transform, output, vars, threshold, call } = parse(input);
    const context = { vars };
    let part = 'transform';
    try {
      const change = transform === undefined ? undefined : compile(transform);
      const seen = change === undefined || !call ? output : apply(change, undefined, [output, context]);
      part = 'script';
      const judge = compile(source);
      return call ? stringify(verdict(apply(judge, undefined, [seen, context]), threshold)) : '{}';
    } catch (e) {
      return stringify(fault(e, part));
    }
  };
})()
