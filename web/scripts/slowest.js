// A reporter that lists the ten slowest tests of a run, and those that passed at the second try only, with the fault
// of the first.
const COUNT = 10;

export default class Slowest {
  onTestRunEnd(modules) {
    const tests = modules
      .flatMap((module) => [...module.children.allTests()])
      .map((test) => ({
        name: `${test.module.relativeModuleId}: ${test.fullName}`,
        duration: test.diagnostic()?.duration ?? 0,
        flaky: test.diagnostic()?.flaky ?? false,
        fault: test.result().errors?.[0]?.message ?? '',
      }))
      .filter(({ duration }) => duration > 0)
      .sort((a, b) => b.duration - a.duration);
    console.log(`\nThe slowest tests:`);
    for (const { name, duration } of tests.slice(0, COUNT))
      console.log(`${(duration / 1000).toFixed(1).padStart(7)} s  ${name}`);
    const flaky = tests.filter((test) => test.flaky);
    if (flaky.length > 0) console.log(`\nPassed at the second try only (each is a fault to mend):`);
    for (const { name, fault } of flaky) console.log(`  ${name}\n    ${fault.slice(0, 600)}`);
  }
}
