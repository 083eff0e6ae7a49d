import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { loadLanguage } from './lib/i18n/languages';
import { settings } from './lib/platform/settings.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('The page has no #app.');
await loadLanguage(settings.language);
mount(App, { target });

// Browsers without service workers, and pages without HTTPS, do without: then Tavola needs the network.
// It fetches everything that works offline, so it waits until the page has been loaded.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const register = () =>
    navigator.serviceWorker.register('/service-worker.js').catch((error: unknown) => console.warn(error));
  setTimeout(register, 2000);
}
