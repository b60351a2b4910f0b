// The base of the objects that templates see. LiquidJS reads own properties alone of any other object; of these it also
// reads the getters of their class, and nothing that is private.
export { Drop } from 'liquidjs';
