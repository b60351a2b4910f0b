# The service as an image: docker build --tag colophon . && docker compose up
#
# The build needs the base image, npm's registry and Debian's mirror, and nothing else. The site is not in the image: mount
# its configuration at /site/content, or build an image of your own on top of this one with `COPY content content`.

FROM node:24-bookworm-slim AS package
WORKDIR /package
COPY package.json package-lock.json ./
# The base image has the right Node, so the one that the package `node` would bring stays out.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm pack --silent --pack-destination /tmp && mv /tmp/colophon-*.tgz /tmp/colophon.tgz

FROM node:24-bookworm-slim AS modules
WORKDIR /modules
COPY --from=package /tmp/colophon.tgz ./
RUN npm install --ignore-scripts --omit=dev --no-audit --no-fund ./colophon.tgz && rm colophon.tgz

FROM node:24-bookworm-slim
# Maintenance and clones are faster with git. The service starts tini in its own place as the first process, without its
# secrets; tini passes signals on and collects ended children. Build commands run in
# bubblewrap, with a network that passt and iproute2 make.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends git ca-certificates tini bubblewrap passt iproute2 \
  && rm -rf /var/lib/apt/lists/*
COPY --from=modules /modules/node_modules /site/node_modules
COPY content /site/content
RUN mkdir --parents /data && chown node:node /data && chmod 700 /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3010 CMS_DATA_DIR=/data CMS_CONFIG_PATH=/site/content/cms.config.ts
USER node
WORKDIR /site
VOLUME /data
EXPOSE 3010
# Alive; /readyz says more, but a site that waits for a person must not be restarted for it.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["node", "node_modules/colophon/src/cli/colophon.js"]
CMD ["start"]
