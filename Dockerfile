FROM golang:1.26-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "-s -w -X github.com/failproof/failproof/internal/cli.Version=${VERSION}" -o /failproof .

# MODEL is the embedding model that the image holds, such as potion-base-8M; none keeps it small, and answers are then compared
# by their words. The program knows the SHA-256 of what it fetches and refuses anything else.
ARG MODEL=none
RUN mkdir /models && if [ "$MODEL" != none ]; then /failproof model pull "$MODEL" --dir /models; fi

# Nothing but the program and the authorities that sign GitHub's and the providers' certificates. It runs as root, because
# the runner's files for outputs and summary cannot be written by anybody else.
FROM scratch
ARG VERSION=dev
LABEL org.opencontainers.image.title="failproof" \
      org.opencontainers.image.description="A gate for prompt changes" \
      org.opencontainers.image.source="https://github.com/failproof/failproof" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /models /usr/share/failproof/models
COPY --from=build /failproof /failproof
ENTRYPOINT ["/failproof"]
# Without arguments it is the action: a gate that printed its help would look like one that passed.
CMD ["action"]
