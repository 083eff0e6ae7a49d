import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['dist/', 'src/messages.ts', 'src/lib/api/*.d.ts', 'node_modules/'] },
  js.configs.recommended,
  ts.configs.strict,
  svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  {
    rules: {
      'no-undef': 'off', // the compiler's
      'svelte/no-at-html-tags': 'off', // symbols and rule books come from our own server
      'svelte/prefer-svelte-reactivity': 'off', // classes here keep plain sets and maps on purpose
      'svelte/no-navigation-without-resolve': 'off', // no SvelteKit here
    },
  },
);
