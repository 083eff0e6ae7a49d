// A reporter that lists the ten slowest tests of a run.
const COUNT = 10;

export default class Slowest {
  onTestRunEnd(modules) {
    const tests = modules
      .flatMap((module) => [...module.children.allTests()])
      .map((test) => ({
        name: `${test.module.relativeModuleId}: ${test.fullName}`,
        duration: test.diagnostic()?.duration ?? 0,
      }))
      .filter(({ duration }) => duration > 0)
      .sort((a, b) => b.duration - a.duration);
    console.log(`\nThe slowest tests:`);
    for (const { name, duration } of tests.slice(0, COUNT))
      console.log(`${(duration / 1000).toFixed(1).padStart(7)} s  ${name}`);
  }
}
