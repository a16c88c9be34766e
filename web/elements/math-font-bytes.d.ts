// The math font in base64, which the builds of the package and of the site write to build/generated/.
declare module "*/math-font.mjs" {
  const woff2: string;
  export default woff2;
}
