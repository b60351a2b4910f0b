import { useLocation } from 'preact-iso/router';

/** Goes to a path of the admin; `replace` leaves no way back to this one. */
export function useNavigate(): (path: string, replace?: boolean) => void {
  const { route } = useLocation();
  return (path, replace) => route(path, replace);
}
