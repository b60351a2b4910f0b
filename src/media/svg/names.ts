// The elements and attributes that the SVG sanitiser lets through, in XML's own spelling. Nothing in these lists runs,
// embeds another kind of document or listens to events.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const ELEMENTS = words(`
  svg g defs symbol use switch a view title desc style
  path rect circle ellipse line polyline polygon
  text tspan textPath tref altGlyph altGlyphDef altGlyphItem glyph glyphRef font hkern vkern
  font-face font-face-name font-face-src font-face-format missing-glyph
  image linearGradient radialGradient stop pattern clipPath mask marker color-profile
  filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode
  feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
  animate animateColor animateMotion animateTransform set mpath
`);

/** `cleanCss` removes addresses outside the drawing from their values, except from TEXT_ATTRIBUTES. */
export const ATTRIBUTES = words(`
  id class style lang role tabindex type media transform transform-origin transform-box

  x y x1 y1 x2 y2 cx cy r rx ry fx fy fr width height d points pathLength viewBox preserveAspectRatio version baseProfile
  zoomAndPan overflow refX refY markerWidth markerHeight markerUnits orient offset dx dy rotate textLength lengthAdjust
  startOffset method spacing side patternUnits patternContentUnits patternTransform gradientUnits gradientTransform
  spreadMethod clipPathUnits maskUnits maskContentUnits maskType requiredFeatures requiredExtensions systemLanguage
  horiz-adv-x horiz-origin-x horiz-origin-y vert-adv-y vert-origin-x vert-origin-y unicode glyph-name g1 g2 k u1 u2
  units-per-em panose-1 ascent descent alphabetic mathematical ideographic hanging bbox cap-height x-height accent-height
  stemh stemv slope unicode-range underline-position underline-thickness v-alphabetic v-hanging v-ideographic
  v-mathematical widths arabic-form orientation

  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters
  color-rendering cursor direction display dominant-baseline enable-background fill fill-opacity fill-rule filter
  flood-color flood-opacity font font-family font-feature-settings font-kerning font-size font-size-adjust font-stretch
  font-style font-variant font-variant-ligatures font-variation-settings font-weight glyph-orientation-horizontal
  glyph-orientation-vertical image-rendering inline-size isolation kerning letter-spacing lighting-color line-height
  marker marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity paint-order pointer-events
  shape-inside shape-padding shape-rendering shape-subtract solid-color solid-opacity stop-color stop-opacity stroke
  stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
  text-align text-anchor text-decoration text-overflow text-rendering text-transform unicode-bidi vector-effect
  visibility white-space word-spacing writing-mode

  filterUnits primitiveUnits filterRes in in2 result mode values operator k1 k2 k3 k4 order kernelMatrix divisor bias
  targetX targetY edgeMode kernelUnitLength preserveAlpha surfaceScale diffuseConstant specularConstant
  specularExponent limitingConeAngle azimuth elevation z pointsAtX pointsAtY pointsAtZ scale xChannelSelector
  yChannelSelector stdDeviation radius baseFrequency numOctaves seed stitchTiles tableValues slope intercept amplitude
  exponent

  attributeName attributeType begin dur end min max restart repeatCount repeatDur fill from to by calcMode keyTimes
  keySplines keyPoints additive accumulate path origin

  xml:space xml:lang
`);

/** Also allowed, whatever the rest of the name: they name things for people and for scripts of other pages. */
export const OPEN_ATTRIBUTE = /^(?:aria|data)-[a-z][a-z0-9-]*$/;

/** Their values are text, not CSS: a backslash or `url(` means nothing in them. */
export const TEXT_ATTRIBUTES = words(
  'id class lang role type media systemLanguage unicode glyph-name xml:space xml:lang',
);
