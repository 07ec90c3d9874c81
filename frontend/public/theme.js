/* Sets the remembered theme before anything is painted. */
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  /* A private window without storage follows the system. */
}
